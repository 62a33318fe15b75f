/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has cJSON work on a large value, as often as told:
 *     json parse|print|minify|compare|pointer TIMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"
#include "cJSON_Utils.h"

enum { RECORDS = 2000 };

static cJSON *make(void)
{
    cJSON *all = cJSON_CreateArray();
    unsigned state = 1;
    for (int i = 0; i < RECORDS; i++) {
        char name[64];
        double numbers[8];
        for (int k = 0; k < 8; k++) {
            state = state * 1664525 + 1013904223;
            numbers[k] = (double)(state >> 8) / 64;
        }
        cJSON *record = cJSON_CreateObject();
        snprintf(name, sizeof name, "record \"%d\" of a list\n\twith an \xc3\xa4", i);
        cJSON_AddStringToObject(record, "name", name);
        cJSON_AddNumberToObject(record, "id", i);
        cJSON_AddBoolToObject(record, "even", i % 2 == 0);
        cJSON_AddItemToObject(record, "numbers", cJSON_CreateDoubleArray(numbers, 8));
        cJSON_AddItemToArray(all, record);
    }
    return all;
}

static size_t work(const char *what, const cJSON *all, const char *text)
{
    if (strcmp(what, "parse") == 0) {
        cJSON *again = cJSON_Parse(text);
        size_t size = again ? (size_t)cJSON_GetArraySize(again) : 0;
        cJSON_Delete(again);
        return size;
    }
    if (strcmp(what, "print") == 0) {
        char *printed = cJSON_PrintUnformatted(all);
        size_t size = printed ? strlen(printed) : 0;
        cJSON_free(printed);
        return size;
    }
    if (strcmp(what, "minify") == 0) {
        char *copy = malloc(strlen(text) + 1);
        if (!copy)
            return 0;
        strcpy(copy, text);
        cJSON_Minify(copy);
        size_t size = strlen(copy);
        free(copy);
        return size;
    }
    if (strcmp(what, "compare") == 0)
        return (size_t)cJSON_Compare(all, all, 1);
    return cJSONUtils_GetPointer((cJSON *)all, "/1999/numbers/7") != NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    cJSON *all = make();
    char *text = cJSON_Print(all);
    size_t sum = 0;
    for (int i = atoi(argv[2]); i > 0; i--) {
        size_t done = work(argv[1], all, text);
        if (!done)
            return 1;
        sum += done;
    }
    printf("%zu\n", sum);
    cJSON_free(text);
    cJSON_Delete(all);
    return 0;
}
