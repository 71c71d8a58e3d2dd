#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: picture [-o FOLDER] [PHOTO]\n"
    "\n"
    "Sharpens a photograph where its subject stands, and softens the rest, in eleven OpenCL kernels.\n"
    "\n"
    "  PHOTO      a PNG or JPEG; without it, the photograph that comes with the example\n"
    "  -o FOLDER  where to write picture.png, and the graph of the tasks as picture.dot and\n"
    "             picture.txt; without it, the current folder\n"
    "  --help     this text\n"
    "\n"
    "The exit status is 1 if something failed, or if the result is not that of plain C.\n";

static void misuse(const char *what, const char *argument)
{
    fprintf(stderr, "picture: %s: %s\n\n%s", argument, what, usage);
    exit(2);
}

command command_read(int argc, char **argv)
{
    command c = {NULL, "."};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(usage, stdout);
            exit(0);
        }
        if (!strcmp(argv[i], "-o") && i + 1 < argc)
            c.folder = argv[++i];
        else if (argv[i][0] == '-')
            misuse(strcmp(argv[i], "-o") ? "there is no such option" : "the folder is missing", argv[i]);
        else if (c.photo)
            misuse("one photograph at a time", argv[i]);
        else
            c.photo = argv[i];
    }
    if (!c.photo)
        c.photo = PICTURE_PHOTO;
    return c;
}

const char *command_output(const command *c, const char *name)
{
    static char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", c->folder, name);
    must(c->folder, length > 0 && length < (int)sizeof path ? NULL : "the path is too long");
    return path;
}

void must(const char *what, const char *why)
{
    if (!why)
        return;
    fprintf(stderr, "picture: %s: %s\n", what, why);
    exit(1);
}
