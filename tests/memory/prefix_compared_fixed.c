//~ memsafety: true
// A word that begins a text ends inside it: none of its bytes is 0.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    const char *p = line;
    while (*p == ' ')
        p++;
    if (strncmp(p, "no", 2) == 0)
        p += 2;
    return *p == 0;
}
