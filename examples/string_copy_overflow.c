#include <stdio.h>
#include <string.h>

static void greet(const char *name) {
    char line[12];
    strcpy(line, "hello, ");
    strcat(line, name);
    puts(line);
}

int main(void) {
    greet("ann");
    greet("bobby");
    return 0;
}
