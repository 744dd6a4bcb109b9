// Jobs in an array: functions, and the numbers of the counters that they are given.
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    void (*run)(int);
    int counter;
};

static unsigned counters[16];

static void count(int i) { counters[i]++; }
static void clear(int i) { counters[i] = 0; }

int main(void) {
    int most = __VERIFIER_nondet_int(), n = 0;
    if (most < 1 || most > 1000) return 0;
    struct job *jobs = malloc(most * sizeof *jobs);
    if (!jobs) abort();
    while (n < most && __VERIFIER_nondet_int()) {
        int counter = __VERIFIER_nondet_int();
        if (counter < 0 || counter >= 16) continue;
        jobs[n].run = __VERIFIER_nondet_int() ? count : clear;
        jobs[n].counter = counter;
        n++;
    }
    for (int i = 0; i < n; i++) jobs[i].run(jobs[i].counter);
    free(jobs);
    return 0;
}
