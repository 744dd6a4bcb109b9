// Fig. 3 of the same paper: safe if the string with its terminator fits.
//   belay check --function copy --array s1=n --string s2 --precondition 'strlen(s2) < n' examples/papers/strcpy.c
#include <string.h>

char *copy(char *s1, char *s2, size_t n) {
    char *dst = s1;
    char *src = s2;
    while ((*dst++ = *src++) != '\0')
        ;
    return s1;
}
