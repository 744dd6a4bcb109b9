//~ unreach-call: false
#include <assert.h>
#include <unistd.h>

int main(void) {
    uid_t before = getuid();
    if (setuid(7) == 0)
        assert(getuid() == before);
    return 0;
}
