//~ all: true
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[32] = "hello";
    assert(strlen(buffer) == 5 && strcmp("a", "b") < 0 && strncmp("abc", "abd", 2) == 0);
    strcat(buffer, ", world");
    assert(strchr(buffer, 'w') - buffer == 7 && strrchr(buffer, 'o') - buffer == 8 && !strchr(buffer, 'z'));
    assert(strstr(buffer, "lo,") == buffer + 3 && strspn("aab", "a") == 2 && strcspn("xyz", "z") == 2);
    char *copy = strdup(buffer);
    assert(strcmp(copy, buffer) == 0);
    for (char *p = copy; *p; p++)
        *p = toupper(*p);
    assert(strcmp(copy, "HELLO, WORLD") == 0);
    free(copy);
    assert(atoi("-42x") == -42 && strtol("0x1f", NULL, 16) == 31 && isdigit('7') && !isalpha('7') && isspace('\t'));
    char text[40];
    int n = snprintf(text, sizeof text, "%d|%5s|%-3c|%04x|%.2f|%%|%lu", -7, "ab", 'c', 255, 1.5, 10ul);
    assert(n == 27 && strcmp(text, "-7|   ab|c  |00ff|1.50|%|10") == 0);
    assert(abs(-3) == 3);
    return 0;
}
