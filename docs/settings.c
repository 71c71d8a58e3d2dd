/* Writes docs/settings.md from the table of settings. */
#include "base/settings.h"

#include <stdio.h>

static const char head[] = "# Settings\n"
                           "\n"
                           "These variables of the environment change how a program runs, without a change to it.\n"
                           "They are read when a scheduler is opened. An unknown `SELVEDGE_` name, or a value that\n"
                           "does not fit, makes `selv_open` fail with `SELV_BAD_SETTING` and a text that names the\n"
                           "nearest setting or the values that would do.\n"
                           "\n"
                           "| setting | value | what it does |\n"
                           "|---|---|---|\n";

static const char foot[] =
    "\n"
    "This page is made from the table in `src/base/settings.h`: `cmake --build build --target docs`.\n";

static void write_line(void *file, const char *text)
{
    fprintf(file, "%s\n", text);
}

int main(int argc, char **argv)
{
    FILE *page = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!page)
        return fprintf(stderr, "usage: settings_page FILE, in a folder that can be written\n"), 2;
    fputs(head, page);
    selvi_settings_print(write_line, page);
    fputs(foot, page);
    return fclose(page) ? perror(argv[1]), 1 : 0;
}
