/* SPDX-License-Identifier: GPL-3.0-or-later */
// Which loops of source-to-source mode are left inside texts, and what stands against each.
#include "gen/front/kept/keep.hh"

namespace mikgen
{

// The first in the text of the faults that were found since there were so many; nullptr: there is none.
const Fault *Keeper::first_since(int faults) const
{
    const Fault *first = nullptr;
    for (int i = faults; i < front->faults.count; i++) {
        const auto *fault = static_cast<const Fault *>(front->faults.items[i]);
        if (!first || fault->loc.beg < first->loc.beg)
            first = fault;
    }
    return first;
}

// Why what stands there is a text. A text inside of it needs no reason any more.
void Keeper::because(Loc loc, const Fault *why) { reasons[loc.beg] = why; }

void Keeper::because(Loc loc, Refusal why, const std::string &name)
{
    auto *fault = arena_new_array(ir->arena, Fault, 1);
    fault->why = why;
    fault->loc = loc;
    fault->name = arena_strndup(ir->arena, name.data(), name.size());
    because(loc, fault);
}

static void loops_of(const Stmt *s, std::vector<const Stmt *> &out)
{
    if (is_real_loop(s))
        out.push_back(s);
    for (const Stmt *kid : s->children())
        if (kid)
            loops_of(kid, out);
}

// The texts of a tree.
static void texts_of(const Node *n, std::vector<Loc> &out)
{
    if (n->kind == N_OPAQUE || (n->kind == N_CALL && sym_is_text(n->sym)))
        out.push_back(n->kind == N_OPAQUE ? n->loc : n->sym->loc);
    for (int i = 0; i < n->nkids; i++)
        texts_of(n->kid[i], out);
}

// Notes how many loops the function has, and which are not in its tree. `why`: it has none.
void Keeper::count_loops(const FunctionDecl *fd, const Func *f, const Fault *why)
{
    std::vector<const Stmt *> loops;
    std::vector<Loc> texts;
    loops_of(fd->getBody(), loops);
    if (!why)
        texts_of(f->body, texts);
    auto *count = arena_new_array(ir->arena, LoopCount, 1);
    *count = {f->name, f->loc, (int)loops.size(), (int)loops.size()};
    for (const Stmt *loop : loops) {
        const Loc loc = at(loop->getBeginLoc());
        const auto text = llvm::find_if(texts, [&](Loc t) { return t.beg <= loc.beg && loc.beg < t.end; });
        if (!why && text == texts.end())
            continue;
        auto *left = arena_new_array(ir->arena, Left, 1);
        *left = {f->name, loc, why ? why : reasons[text->beg]};
        vec_push(ir->arena, &kept->left_loops, left);
        count->understood--;
    }
    vec_push(ir->arena, &kept->loops, count);
    reasons.clear();
}

} // namespace mikgen
