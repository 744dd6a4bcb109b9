// A line is cut into words where it has commas: each of them is a place in the line that is not behind its end.
//~ options: --engines graph
//~ memsafety: true
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256], *words[16];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    int n = 0;
    char *p = line;
    while (n < 16) {
        words[n++] = p;
        char *comma = strchr(p, ',');
        if (!comma)
            break;
        *comma = 0;
        p = comma + 1;
    }
    size_t total = 0;
    for (int i = 0; i < n; i++)
        total += strlen(words[i]);
    return total > 5;
}
