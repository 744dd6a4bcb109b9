//~ termination: false
// What does not match stays in the stream.
#include <stdio.h>

int main(void) {
    int x;
    while (scanf("%d", &x) != EOF) {
    }
    return 0;
}
