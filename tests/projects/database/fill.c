#include <config.h>

extern int items[];

void fill(void) {
    for (int i = 0; i < ITEMS; i++)
        items[i] = i;
}
