/* Random calls of a model and of the C library, side by side.
 *
 * A test is a function that makes one random call of each and says whether they agree. Every buffer is a heap block of the exact
 * size, so that AddressSanitizer sees an access that the model should not make. */
#ifndef HARNESS_H
#define HARNESS_H

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

typedef int (*test_function)(void);
void add_test(const char *name, test_function run, int calls);

#define TEST_N(id, title, calls)                                                  \
    static int test_##id(void);                                                   \
    __attribute__((constructor)) static void add_##id(void) { add_test(title, test_##id, calls); } \
    static int test_##id(void)
#define TEST(name) TEST_N(name, #name, 4000)

/* What a model of which only bounds are known is to return next, if its bounds allow that. */
extern double approximate_result;

/* The model under its test name. */
#define MODEL(name) extern __typeof__(name) m_##name

uint64_t random_bits(void);
/* A number in [0, n). */
static inline size_t below(size_t n) { return (size_t)(random_bits() % n); }
/* Any 64 bits, small and extreme values more often than others. */
uint64_t any_number(void);

/* Exact heap blocks that live until the end of the call. */
void *block(size_t n);
void *random_block(size_t n);
void *copy_block(const void *p, size_t n);
/* A random string over a small alphabet, in an exact block; at most `most` characters. */
char *any_string(size_t most);
wchar_t *any_wide(size_t most);
/* A string and a bound for it: every second time an array of exactly *n characters without a NUL. */
char *any_bounded(size_t *n);
wchar_t *any_bounded_wide(size_t *n);
const char *alphabet(void);
void set_alphabet(const char *letters);
/* A stop byte that occurs, or not. */
int any_byte(void);

/* The outcome of code that may end in an assumption or a precondition. */
enum ending { FINISHED, ASSUMED, VIOLATED, UNSUPPORTED };
extern jmp_buf *ending_place;
#define ENDING(code)                                                              \
    ({                                                                            \
        jmp_buf place_, *outer_ = ending_place;                                     \
        ending_place = &place_;                                                   \
        int how__ = setjmp(place_);                                                  \
        if (how__ == 0) { code; }                                                   \
        ending_place = outer_;                                                     \
        how__;                                                                      \
    })
/* Repeats code until no assumption fails in it; whether it then finished. */
#define FINISHES(code)                                                            \
    ({                                                                            \
        volatile int tries = 0;                                                   \
        int how_;                                                                 \
        do how_ = ENDING(code);                                                   \
        while (how_ == ASSUMED && ++tries < 1000000);                             \
        how_ == FINISHED;                                                         \
    })

static inline long long OFFSET(const void *p, const void *base) { return p == NULL ? -1 : (const char *)p - (const char *)base; }
static inline int SIGN(int x) { return (x > 0) - (x < 0); }

/* Both functions, f, on the same arguments, give the same number and errno. */
#define AGREE(name, setup, call)                                                  \
    MODEL(name);                                                                  \
    TEST(name)                                                                    \
    {                                                                             \
        setup;                                                                    \
        long long result[2];                                                      \
        int error[2];                                                             \
        for (int k = 0; k < 2; k++) {                                             \
            __typeof__(&name) f = k ? &m_##name : (__typeof__(&name))library(#name, (void *)&name);                          \
            int *number = k ? m___errno_location() : &errno;                      \
            *number = 0;                                                          \
            result[k] = (long long)(call);                                        \
            error[k] = *number;                                                   \
        }                                                                         \
        return result[0] == result[1] && error[0] == error[1];                    \
    }

/* The same with a buffer d of `size` bytes for each, which must hold the same bytes afterwards. */
#define AGREE_WRITE(name, setup, size, call)                                      \
    MODEL(name);                                                                  \
    TEST(name)                                                                    \
    {                                                                             \
        setup;                                                                    \
        size_t bytes = (size);                                                    \
        void *first = BUFFER(bytes), *buffers[2] = {first, copy_block(first, bytes)}; \
        long long result[2];                                                      \
        for (int k = 0; k < 2; k++) {                                             \
            __typeof__(&name) f = k ? &m_##name : (__typeof__(&name))library(#name, (void *)&name);                          \
            void *d = buffers[k];                                                 \
            result[k] = (long long)(call);                                        \
        }                                                                         \
        return result[0] == result[1] && memcmp(buffers[0], buffers[1], bytes) == 0; \
    }
#define BUFFER random_block

/* The C library's function, not the sanitizer's stand-in; `other` if there is none. */
void *library(const char *name, void *other);

int *m___errno_location(void);

#endif
