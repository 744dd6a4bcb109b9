// As getline_capacity.c, with an array that the library leaves as large as it is.
#include <stdio.h>
//~ unreach-call: true
void reach_error(void);
int main(void) {
    char line[240];
    if (fgets(line, sizeof line, stdin) == 0)
        return 0;
    if (sizeof line % 120 != 0)
        reach_error();
    return 0;
}
