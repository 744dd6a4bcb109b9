// As alarm.c, without waiting for a signal.
#include <unistd.h>
//~ termination: true
int main(void) {
    sleep(1);
    return 0;
}
