//~ unreach-call: unknown
#include <assert.h>
#include <errno.h>
extern int work(void);

int main(void) {
    errno = 0;
    work();
    assert(errno == 0);
    return 0;
}
