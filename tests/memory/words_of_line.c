// There is room for two words, but not for one more.
//~ memsafety: false
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256], *words[2];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    int n = 0;
    char *p = line;
    while (n <= 2) {
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
