//~ unreach-call: true
#include <assert.h>
#include <unistd.h>

int main(void) {
    uid_t before = getuid();
    assert(getuid() == before);
    return 0;
}
