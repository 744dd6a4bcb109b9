//~ options: --engines nontermination,its
//~ termination: unknown
// Signals do not come for ever, so that no run is claimed to be endless; how many come is not known either.
#include <errno.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec left = {1, 0};
    while (nanosleep(&left, &left) == -1 && errno == EINTR) {
    }
    char c;
    while (read(0, &c, 1) < 0 && errno == EINTR) {
    }
    return 0;
}
