#include "graph/names.h"

#include "base/memory.h"

struct selvi_name {
    struct selvi_name *same_hash, *before;
    char text[];
};

/* FNV-1a */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static struct selvi_name *first_of(const selvi_names *names, uint64_t hash)
{
    uint64_t found = 0;
    selvi_table_get(&names->by_hash, hash, &found);
    return (struct selvi_name *)(uintptr_t)found;
}

static const char *add(selvi_names *names, uint64_t hash, const char *text)
{
    size_t bytes = strlen(text) + 1;
    struct selvi_name *name = selvi_alloc(sizeof *name + bytes);
    if (!name)
        return NULL;
    name->same_hash = first_of(names, hash);
    if (selvi_table_put(&names->by_hash, hash, (uintptr_t)name)) {
        selvi_free(name);
        return NULL;
    }
    name->before = names->last;
    names->last = name;
    return memcpy(name->text, text, bytes);
}

const char *selvi_names_keep(selvi_names *names, const char *text)
{
    if (!text || !*text)
        return "";
    uint64_t hash = hash_of(text);
    for (struct selvi_name *name = first_of(names, hash); name; name = name->same_hash)
        if (!strcmp(name->text, text))
            return name->text;
    return add(names, hash, text);
}

void selvi_names_destroy(selvi_names *names)
{
    while (names->last) {
        struct selvi_name *before = names->last->before;
        selvi_free(names->last);
        names->last = before;
    }
    selvi_table_destroy(&names->by_hash);
}
