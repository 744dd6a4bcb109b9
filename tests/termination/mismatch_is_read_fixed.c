//~ termination: true
// A byte that does not match is read next, so that no run is endless.
#include <stdio.h>

int main(void) {
    int x;
    while (scanf("%d", &x) != EOF)
        getchar();
    return 0;
}
