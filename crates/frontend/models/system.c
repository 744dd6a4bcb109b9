/* C17 7.22.4.8: any status; the program's memory is as before. command is NULL or a string. */
#include "belay.h"

int system(const char *command)
{
    if (command != NULL)
        strlen(command);
    return __VERIFIER_nondet_int();
}
