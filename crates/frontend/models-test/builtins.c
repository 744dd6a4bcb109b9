/* The verifier's built-ins for a native run, the random numbers, and the main program of the tests. */
#include "harness.h"
#include <dlfcn.h>

static uint64_t state = 0x9e3779b97f4a7c15u;
jmp_buf *ending_place;

uint64_t random_bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t any_number(void)
{
    uint64_t bits = random_bits() >> below(64);
    switch (below(6)) {
    case 0: return 0 - bits;
    case 1: return (uint64_t)INT64_MAX + below(3) - 1;
    case 2: return (uint64_t)INT32_MAX + below(3) - 1;
    case 3: return below(4) - 1;
    default: return bits;
    }
}

void *library(const char *name, void *other)
{
    void *found = dlsym(RTLD_NEXT, name);
    return found == NULL ? other : found;
}

static struct { char *base; size_t size; } objects[256];
static int object_count;

void *block(size_t n)
{
    void *p = malloc(n);
    if (p == NULL || object_count == 256)
        abort();
    objects[object_count].base = p;
    objects[object_count++].size = n;
    return p;
}

static void release(void)
{
    while (object_count > 0)
        free(objects[--object_count].base);
}

void *random_block(size_t n)
{
    unsigned char *p = block(n);
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)random_bits();
    return p;
}

void *copy_block(const void *p, size_t n)
{
    void *q = block(n);
    if (n > 0)
        memcpy(q, p, n);
    return q;
}

static const char *letters = "abA";
static const char *const choices[] = {"a", "ab", "abAB", "a\x80\xff", ", ;a", "aAzZ[`@{"};

const char *alphabet(void) { return letters; }
void set_alphabet(const char *s) { letters = s; }
int any_byte(void)
{
    if (below(8) == 0)
        return (int)any_number();
    return below(6) == 0 ? 0 : letters[below(strlen(letters))] + (below(4) == 0 ? 256 : 0);
}

char *any_string(size_t most)
{
    size_t n = below(most + 1);
    char *s = block(n + 1);
    for (size_t i = 0; i < n; i++)
        s[i] = letters[below(strlen(letters))];
    s[n] = '\0';
    return s;
}

wchar_t *any_wide(size_t most)
{
    size_t n = below(most + 1);
    wchar_t *s = block((n + 1) * sizeof *s);
    for (size_t i = 0; i < n; i++)
        s[i] = letters[below(strlen(letters))];
    s[n] = 0;
    return s;
}

char *any_bounded(size_t *n)
{
    char *s = any_string(8);
    *n = below(12);
    if (below(2) == 0)
        return s;
    *n = strlen(s);
    return copy_block(s, *n);
}

wchar_t *any_bounded_wide(size_t *n)
{
    wchar_t *s = any_wide(8);
    *n = below(12);
    if (below(2) == 0)
        return s;
    *n = wcslen(s);
    return copy_block(s, *n * sizeof *s);
}

static void end(enum ending how)
{
    if (ending_place == NULL) {
        fprintf(stderr, "unexpected ending %d\n", how);
        abort();
    }
    longjmp(*ending_place, how);
}

void __belay_precondition(int holds, const char *what)
{
    (void)what;
    if (!holds)
        end(VIOLATED);
}

void __belay_unsupported(const char *what)
{
    (void)what;
    end(UNSUPPORTED);
    abort();
}

void __VERIFIER_assume(int holds)
{
    if (!holds)
        end(ASSUMED);
}

static int object_of(const void *p)
{
    for (int i = 0; i < object_count; i++)
        if ((const char *)p >= objects[i].base && (const char *)p <= objects[i].base + objects[i].size)
            return i;
    return -1;
}

int __belay_same_object(const void *p, const void *q)
{
    return object_of(p) >= 0 && object_of(p) == object_of(q);
}

size_t __belay_object_size(const void *p)
{
    int i = object_of(p);
    if (p == NULL)
        return 0;
    return i < 0 ? SIZE_MAX / 2 : (size_t)(objects[i].base + objects[i].size - (const char *)p);
}

void *__belay_aligned_block(size_t alignment, size_t size)
{
    void *p = NULL;
    return posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, size) == 0 ? p : NULL;
}

#define NONDET(name, type) \
    type __VERIFIER_nondet_##name(void) { return (type)any_number(); }
_Bool __VERIFIER_nondet_bool(void) { return below(3) == 0; }
NONDET(char, char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
unsigned char __VERIFIER_nondet_uchar(void)
{
    return below(2) ? (unsigned char)letters[below(strlen(letters))] : (unsigned char)random_bits();
}
double approximate_result;
static int approximating;
void __belay_approximate(const char *what)
{
    (void)what;
    approximating = 1;
}

double __VERIFIER_nondet_double(void)
{
    if (!approximating)
        return (double)(int64_t)any_number();
    approximating = 0;
    return approximate_result;
}

float __VERIFIER_nondet_float(void) { return (float)(int64_t)any_number(); }

static struct { const char *name; test_function run; int calls; } tests[2048];
static int test_count;

void add_test(const char *name, test_function run, int calls)
{
    tests[test_count].name = name;
    tests[test_count].run = run;
    tests[test_count++].calls = calls;
}

/* usage: run SHARE [TEST]: one in SHARE of the calls of each test, or of the one that is named. */
int main(int argc, char **argv)
{
    int share = argc > 1 ? atoi(argv[1]) : 1;
    int passed = 0, failed = 0;
    long calls = 0;
    for (int i = 0; i < test_count; i++) {
        if (argc > 2 && strcmp(argv[2], tests[i].name) != 0)
            continue;
        state = 0x9e3779b97f4a7c15u;
        int wrong = 0, first = -1, count = (tests[i].calls + share - 1) / share;
        for (int k = 0; k < count; k++) {
            letters = choices[below(sizeof choices / sizeof *choices)];
            volatile int agrees = 0;
            int how = ENDING(agrees = tests[i].run());
            if (how != FINISHED || !agrees) {
                wrong++;
                if (first < 0)
                    first = k;
            }
            release();
        }
        calls += count;
        if (wrong > 0) {
            printf("FAILED %s: %d of %d calls, the first is call %d\n", tests[i].name, wrong, count, first);
            failed++;
        } else {
            passed++;
        }
    }
    printf("%d passed, %d failed (%ld calls)\n", passed, failed, calls);
    return failed != 0;
}
