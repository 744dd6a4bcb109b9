//~ termination: false
// No interruption is needed to sleep again and again.
#include <unistd.h>

int main(void) {
    unsigned left = 5;
    while (left > 0)
        if (sleep(left) == 0)
            left = 5;
    return 0;
}
