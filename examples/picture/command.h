/* What the command line said, and the way out when something does not work. */
#ifndef PICTURE_COMMAND_H
#define PICTURE_COMMAND_H

typedef struct command {
    const char *photo, *folder;
} command;

/* Ends the program with the usage where there is nothing to do. */
command command_read(int argc, char **argv);

/* The path of a file in the folder for results, until the next call. */
const char *command_output(const command *c, const char *name);

/* Ends the program with status 1 if there is a reason to: `why` is NULL when all is well. */
void must(const char *what, const char *why);

#endif
