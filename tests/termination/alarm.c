// The signal ends the program, which waits for it for ever.
#include <unistd.h>
//~ termination: unknown
int main(void) {
    alarm(1);
    for (;;)
        ;
}
