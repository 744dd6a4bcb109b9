//~ no-overflow: true
//~ unreach-call: true
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    clock_t start = clock();
    clock_t end = clock();
    assert(end - start >= 0 && start >= 0);
    struct timespec t;
    struct timeval v;
    time_t first = time(0);
    gettimeofday(&v, 0);
    assert(clock_gettime(CLOCK_REALTIME, &t) == 0);
    long long all = t.tv_sec * 1000000000LL + t.tv_nsec;
    assert(all >= 0 && first <= v.tv_sec && v.tv_sec <= t.tv_sec);
    return 0;
}
