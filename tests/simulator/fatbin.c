/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nvcc's objects register before main: binaries with PTX for several targets, kernels, variables.
 *
 * A binary is a header (magic, version, its size, size of all entries) and entries (kind, version, header's
 * size, payload's size, ...); kind 1 is PTX. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime_api.h"

enum { FATBIN_MAGIC = (int)0xba55ed50, PTX_ENTRY = 1, COMPRESSED = 0xf000 };

typedef struct Image {
    const char *text;
    size_t length;
    int target;
    bool is_specific, is_compressed;
    Module *module;
    char *error;
    struct Image *next;
} Image;

typedef struct Variable {
    const void *host;
    const char *name;
    size_t size;
    struct Variable *next;
} Variable;

typedef struct Binary {
    Image *images;
    Variable *variables;
    struct Binary *next;
} Binary;

typedef struct {
    int magic, version;
    const uint8_t *data;
    void *unused;
} Wrapper;

static Binary *binaries;
static Kernel *kernels;

/* ---- reading ---- */

static void read_target(Image *image)
{
    static const char directive[] = ".target sm_";
    for (size_t k = 0; k + sizeof directive < image->length && k < 4096; k++)
        if (memcmp(image->text + k, directive, sizeof directive - 1) == 0) {
            char *end;
            image->target = (int)strtol(image->text + k + sizeof directive - 1, &end, 10);
            image->is_specific = *end == 'a';
            return;
        }
}

static void read_entries(Binary *b, const uint8_t *at)
{
    uint16_t header;
    uint64_t size;
    memcpy(&header, at + 6, 2);
    memcpy(&size, at + 8, 8);
    const uint8_t *end = at + header + size;
    for (at += header; at < end;) {
        uint16_t kind;
        uint32_t entry_header;
        uint64_t payload, flags;
        memcpy(&kind, at, 2);
        memcpy(&entry_header, at + 4, 4);
        memcpy(&payload, at + 8, 8);
        memcpy(&flags, at + 40, 8);
        if (kind == PTX_ENTRY) {
            Image *image = ptx_new(sizeof *image);
            image->text = (const char *)at + entry_header;
            image->length = payload;
            image->is_compressed = (flags & COMPRESSED) != 0;
            read_target(image);
            image->next = b->images;
            b->images = image;
        }
        at += entry_header + payload;
    }
}

void **__cudaRegisterFatBinary(void *data);
void **__cudaRegisterFatBinary(void *data)
{
    const Wrapper *wrapper = data;
    Binary *b = ptx_new(sizeof *b);
    int magic;
    memcpy(&magic, wrapper->data, sizeof magic);
    if (magic != FATBIN_MAGIC) {
        fprintf(stderr, "simulator: an unknown kind of device binary\n");
        exit(2);
    }
    read_entries(b, wrapper->data);
    b->next = binaries;
    binaries = b;
    return (void **)b;
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

char __cudaInitModule(void **handle);
char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *tid, uint3 *bid, dim3 *block,
                            dim3 *grid, int *size);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *tid, uint3 *bid, dim3 *block,
                            dim3 *grid, int *size)
{
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)size;
    Kernel *k = ptx_new(sizeof *k);
    k->host = host;
    k->name = name;
    k->binary = (Binary *)handle;
    k->next = kernels;
    kernels = k;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)constant, (void)global;
    Variable *v = ptx_new(sizeof *v);
    v->host = host;
    v->name = name;
    v->size = size;
    v->next = ((Binary *)handle)->variables;
    ((Binary *)handle)->variables = v;
}

/* ---- loading: variables get memory ---- */

static Var *module_var(const Module *m, const char *name)
{
    for (Var *v = m->vars; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

static void initialise(const Module *m, const Var *v)
{
    uint8_t *bytes = heap_host(v->address);
    memset(bytes, 0, v->size);
    for (const Init *i = v->inits; i; i = i->next) {
        uint64_t value = i->value;
        if (i->symbol) {
            const Var *other = module_var(m, i->symbol);
            value += other ? other->address : 0;
        }
        memcpy(bytes + i->offset, &value, (size_t)i->size);
    }
}

static void place_variables(Module *m)
{
    for (Var *v = m->vars; v; v = v->next)
        if ((v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->is_extern) {
            v->address = heap_allocate(v->size, v->align > 256 ? 4096 : 256, v->name);
            heap_find(v->address)->is_constant = v->space == SPACE_CONST;
        }
    for (Var *v = m->vars; v; v = v->next)
        if (v->address)
            initialise(m, v);
}

static Module *image_module(Image *image)
{
    if (image->module || image->error)
        return image->module;
    char error[500];
    if (image->is_compressed) {
        snprintf(error, sizeof error, "the object's PTX is compressed: compile with nvcc -no-compress");
    } else {
        image->module = ptx_parse(image->text, image->length, "PTX", error, sizeof error);
        if (image->module)
            place_variables(image->module);
    }
    if (!image->module) {
        image->error = (char *)ptx_copy(error, strlen(error));
        diagnose(SIM_UNSUPPORTED, error);
    }
    return image->module;
}

/* The greatest target up to the device's; sm_90a runs on 90 only, and is preferred there. */
static Image *best_image(const Binary *b)
{
    int cc = settings()->cc;
    Image *best = NULL;
    for (Image *i = b->images; i; i = i->next) {
        if (i->target > cc || (i->is_specific && i->target != cc))
            continue;
        if (!best || i->target > best->target || (i->target == best->target && i->is_specific))
            best = i;
    }
    return best;
}

/* ---- looking up ---- */

Kernel *kernel_find(const void *host)
{
    for (Kernel *k = kernels; k; k = k->next)
        if (k->host == host || k == host)
            return k;
    return NULL;
}

/* Kernels are loaded when they are first used on a device: not while anything is captured. */
static cudaError_t load(Kernel *k)
{
    const uint32_t device = 1u << settings()->current;
    const cudaError_t error = k->loaded & device ? cudaSuccess : forbid_in_capture();
    if (error == cudaSuccess)
        k->loaded |= device;
    return error;
}

int sim_unloaded(const char **name)
{
    int count = 0;
    for (const Kernel *k = kernels; k; k = k->next)
        if (!(k->loaded >> settings()->current & 1)) {
            *name = k->name;
            count++;
        }
    return count;
}

KernelState *kernel_state(Kernel *k, cudaError_t *error)
{
    Image *image = best_image(k->binary);
    if (!image) {
        *error = cudaErrorNoKernelImageForDevice;
        return NULL;
    }
    const Module *module = image_module(image);
    const Function *f = module ? ptx_function(module, k->name) : NULL;
    if (!f || !f->is_entry) {
        *error = module ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidPtx;
        return NULL;
    }
    *error = load(k);
    if (*error != cudaSuccess)
        return NULL;
    for (KernelState *s = k->states; s; s = s->next)
        if (s->module == module)
            return s;
    KernelState *s = ptx_new(sizeof *s);
    s->function = f;
    s->module = module;
    s->next = k->states;
    k->states = s;
    return s;
}

Code *kernel_code(KernelState *s)
{
    if (!s->code)
        s->code = decode(s->module, s->function);
    return s->code;
}

void kernels_each(void visit(KernelState *s, void *data), void *data)
{
    for (Kernel *k = kernels; k; k = k->next)
        for (KernelState *s = k->states; s; s = s->next)
            visit(s, data);
}

uint64_t variable_find(const void *host, size_t *size)
{
    for (Binary *b = binaries; b; b = b->next)
        for (Variable *v = b->variables; v; v = v->next) {
            if (v->host != host)
                continue;
            Image *image = best_image(b);
            const Module *m = image ? image_module(image) : NULL;
            const Var *var = m ? module_var(m, v->name) : NULL;
            *size = v->size;
            return var ? var->address : 0;
        }
    return 0;
}
