/* What the library models share: the built-ins of the verifier, the types of the C library, and a few predicates.
 *
 * A model is an ordinary C definition of a library function. Prototypes carry no `restrict`: overlap is checked, not
 * assumed. Every access that a model makes is one that the C standard lets the function make, so that a violation in
 * the model is a violation by the caller. Sizes and layouts are those of glibc on x86 (LP64 and ILP32). */
#ifndef BELAY_H
#define BELAY_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* --- built-ins of the verifier --------------------------------------------------------------------------------- */

/* A violation of valid-deref when `holds` is 0; the run ends there. */
void __belay_precondition(int holds, const char *what);
/* 1 if both pointers point into (or one past) the same object. */
int __belay_same_object(const void *p, const void *q);
/* Bytes from p to the end of its object; 0 for a pointer that may not be dereferenced. */
size_t __belay_object_size(const void *p);
/* Something that no model describes: the answer is unknown, never a verdict. */
_Noreturn void __belay_unsupported(const char *what);
void __VERIFIER_assume(int holds);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);

/* --- native library functions ---------------------------------------------------------------------------------- */

_Noreturn void abort(void);
_Noreturn void exit(int status);
void *malloc(size_t size);
void *__belay_aligned_block(size_t alignment, size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *p, size_t size);
void free(void *p);
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
size_t strlen(const char *s);
int snprintf(char *dst, size_t n, const char *format, ...);

/* --- types ------------------------------------------------------------------------------------------------------ */

typedef __PTRDIFF_TYPE__ ssize_t;
typedef unsigned int wint_t;
typedef long time_t;
typedef long clock_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int mode_t;
typedef unsigned int socklen_t;
typedef struct _IO_FILE FILE;
typedef struct { int count; unsigned int value; } __mbstate_t;
typedef __mbstate_t mbstate_t;
typedef struct _G_fpos_t { long position; mbstate_t state; } fpos_t;
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { intmax_t quot, rem; } imaxdiv_t;
struct timeval { time_t tv_sec; long tv_usec; };
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
struct sockaddr;

extern FILE *stdin, *stdout, *stderr;

/* --- the rounding direction -------------------------------------------------------------------------------------- */

enum { BELAY_TO_NEAREST = 0, BELAY_DOWNWARD = 0x400, BELAY_UPWARD = 0x800, BELAY_TOWARDS_ZERO = 0xc00 };
extern int __belay_rounding;

/* Where a result is rounded. */
static inline void belay_rounds(void)
{
    if (__belay_rounding != BELAY_TO_NEAREST)
        __belay_unsupported("float arithmetic in a direction other than to nearest");
}

#define EOF (-1)
#define WEOF 0xffffffffu
#define RAND_MAX 0x7fffffff
#define EINTR 4
#define EINVAL 22
#define ENOMEM 12
#define EDOM 33
#define ERANGE 34
#define EOVERFLOW 75
#define EILSEQ 84

/* --- errno ------------------------------------------------------------------------------------------------------ */

int *__errno_location(void);
int *__belay_errno_to_write(void);
/* Models write it, and read what they wrote. */
#define errno (*__belay_errno_to_write())
/* Whether a call has had the chance to set errno though nothing failed, since it was last written. */
extern _Bool __belay_errno_open;
/* Whether that is decided where errno is read: 1 where the program reads it by its name only. */
extern const int __belay_errno_lazily;

void __belay_approximate(const char *what);

/* A system call that failed: errno is some error number, the result -1. That a signal interrupts it is covered by proofs; no violation rests on it, as a program without
 * handlers is hardly interrupted, and none for ever. */
static inline int belay_failure(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number > 0 && number <= 133);
    errno = number;
    if (number == EINTR)
        __belay_approximate("a call is interrupted by a signal");
    return -1;
}

/* A system call without effect on memory: 0, or -1 with errno set. */
static inline int belay_attempt(void)
{
    return __VERIFIER_nondet_bool() ? belay_failure() : 0;
}

/* What can still be read from descriptors (below). */
extern struct belay_input {
    _Bool begun;
    long long left;
} __belay_input;

/* A new descriptor, or -1 with errno set. */
static inline int belay_descriptor(void)
{
    __belay_input.begun = 0;
    int fd = __VERIFIER_nondet_int();
    __VERIFIER_assume(fd >= -1);
    return fd == -1 ? belay_failure() : fd;
}

/* --- results of which only bounds are known ---------------------------------------------------------------------- */

/* A behaviour that C allows and that runs do not show: true on a path of its own, which proofs cover and on which no violation is
 * reported. Natively, in the tests of the models, it is never taken. */
static inline _Bool belay_otherwise(const char *what)
{
#ifdef BELAY_NATIVE
    (void)what;
    return 0;
#else
    if (!__VERIFIER_nondet_bool())
        return 0;
    __belay_approximate(what);
    return 1;
#endif
}

/* A number of [low, high]; errno may tell of a result that is out of range. */
static inline double belay_result_between(double low, double high, const char *what)
{
    __belay_approximate(what);
    (void)belay_attempt();
    double result = __VERIFIER_nondet_double();
    __VERIFIER_assume(result >= low && result <= high);
    return result;
}

/* Any number, or none. */
static inline double belay_any_result(const char *what)
{
    __belay_approximate(what);
    (void)belay_attempt();
    return __VERIFIER_nondet_double();
}

/* --- inputs ----------------------------------------------------------------------------------------------------- */

/* A number in [low, high]. */
static inline int belay_int_between(int low, int high)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(low <= n && n <= high);
    return n;
}

static inline size_t belay_size_at_most(size_t high)
{
    size_t n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n <= high);
    return n;
}

/* n arbitrary bytes into p. A model of its own, so that a native rule may stand in for its loop. */
void __belay_fill(void *p, size_t n);

/* An address of at most 128 bytes to where there is room for some; its length. Only a call that succeeds brings one. */
static inline unsigned int belay_address(void *to, unsigned int room)
{
    unsigned int length = __VERIFIER_nondet_uint();
    __VERIFIER_assume(length <= 128);
    __belay_fill(to, length < room ? length : room);
    return length;
}

/* --- regions ---------------------------------------------------------------------------------------------------- */

/* n bytes lie between p and the end of its object. */
static inline int belay_region(const void *p, size_t n)
{
    return n == 0 || __belay_object_size(p) >= n;
}

/* The n bytes at p and the m bytes at q share none. Pointers are compared only within one object. */
static inline int belay_disjoint(const void *p, size_t n, const void *q, size_t m)
{
    const char *a = p, *b = q;
    if (n == 0 || m == 0 || !__belay_same_object(a, b))
        return 1;
    return a < b ? (size_t)(b - a) >= n : (size_t)(a - b) >= m;
}

/* --- characters of the C locale ---------------------------------------------------------------------------------- */

/* C17 7.4p1: the argument of a ctype function is EOF or the value of an unsigned char. The tables of glibc have the values of a signed char as well. */
static inline void belay_ctype_argument(int c, const char *what)
{
    __belay_precondition(c >= -128 && c <= 255, what);
}

static inline int belay_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline int belay_lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* --- streams ---------------------------------------------------------------------------------------------------- */

/* What a stream remembers. One opened by fopen is a heap block of this type, which fclose frees; the standard ones are static. */
struct belay_stream {
    unsigned char eof, error, pushed, next; /* `next` is what ungetc pushed back, if `pushed` */
    wint_t wide;                            /* what ungetwc pushed back, if `pushed` is BELAY_PUSHED_WIDE */
    unsigned char begun;                    /* `left` is known */
    unsigned char there;                    /* the next byte is there: scanf saw it, and it did not match */
    unsigned char told;                     /* where it is was asked for */
    unsigned char closed;                   /* a standard stream that fclose was given */
    int descriptor;                         /* its number and 1, if that was asked for */
    long long left;                         /* how many more bytes there are */
};
enum { BELAY_PUSHED_WIDE = 2 };

/* C leaves open what bytes become of a wide character that was pushed back. Where the program calls no ungetwc there is none. */
extern const int __belay_pushes_wide;
static inline void belay_stream_of_bytes(const struct belay_stream *state)
{
    if (__belay_pushes_wide && state->pushed == BELAY_PUSHED_WIDE)
        __belay_unsupported("a byte is read after ungetwc");
}

/* Standard streams are no blocks that fclose frees. Where the program calls no fclose none is closed. */
extern const int __belay_closes;

/* The state of a stream; the stream is not null, and not closed. */
struct belay_stream *__belay_stream(FILE *stream);

/* A stream reads and writes a buffer that it was lent whenever it likes, also after the buffer has ended. */
static inline void belay_lends_buffer(void)
{
#ifndef BELAY_NATIVE
    __belay_unsupported("a stream uses a buffer of the program's");
#endif
}

/* With --io-may-fail output to the standard streams may fail, too. */
extern const int __belay_io_may_fail;

/* True for the streams that are open when the program starts: output to them succeeds, as printf's does, unless it is said to fail. */
static inline _Bool belay_is_standard(FILE *stream)
{
    return stream == stdin || stream == stdout || stream == stderr;
}

/* Whether another byte comes. Every stream is finite: how much it holds is open, and each byte that is read makes it less. A read may fail
 * or meet the end before, as at a terminal; then more may come, but not for ever. With --endless-input there is always more. */
extern const int __belay_endless_input;
/* How many bytes a stream holds: any number that off_t counts. Signed, as engines follow signed numbers best. */
static inline long long belay_stream_length(void)
{
    return (long long)(__VERIFIER_nondet_ulonglong() >> 1);
}
/* Only functions of the scanf family leave a byte that they saw. Where the program has none of them the field is not looked at. */
extern const int __belay_scans;
static inline _Bool belay_stream_gives(struct belay_stream *state)
{
    if (!(__belay_scans && state->there) && __VERIFIER_nondet_bool())
        return 0;
    if (__belay_scans)
        state->there = 0;
    if (__belay_endless_input)
        return 1;
    if (!state->begun) {
        state->begun = 1;
        state->left = belay_stream_length();
    }
    if (state->left == 0)
        return 0;
    state->left--;
    return 1;
}

/* Whether a conversion meets a byte that does not match: it stays the next one. */
static inline _Bool belay_stream_differs(struct belay_stream *state)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    if (state->pushed || state->there || __belay_endless_input) {
        state->there = !state->pushed;
        return 1;
    }
    if (!state->begun) {
        state->begun = 1;
        state->left = belay_stream_length();
    }
    state->there = state->left > 0;
    return state->there;
}

/* The input ends here, for one reason or the other. */
static inline int belay_stream_ends(struct belay_stream *state)
{
    if (__VERIFIER_nondet_bool())
        state->error = 1;
    else
        state->eof = 1;
    return EOF;
}

/* --- time ---------------------------------------------------------------------------------------------------------- */

/* C17 7.27.3: gmtime and localtime give one object, asctime and ctime another. Any of these calls may change what the others gave. */
extern struct tm __belay_broken_down_time;
extern char __belay_time_text[26];

/* What local time is asked for sets tzname, timezone and daylight (POSIX), of which nothing is known. Where the program names none of them none is seen. */
extern const int __belay_names_zone;
static inline void belay_sets_zone(void)
{
    _Bool is_seen = __belay_names_zone;
#ifndef BELAY_NATIVE
    if (is_seen)
        __belay_unsupported("the variables of the time zone");
#endif
}

/* --- C++ --------------------------------------------------------------------------------------------------------- */

/* A block must be released by the counterpart of what made it. Which that was is not remembered; where all blocks are of one kind there is no
 * other. */
extern const int __belay_mixes_blocks;
static inline void belay_new_alone(void)
{
#ifndef BELAY_NATIVE
    if (__belay_mixes_blocks)
        __belay_unsupported("blocks of several kinds (new, new[], malloc): by which one each is released is not followed");
#endif
}

static inline void *belay_new(size_t size)
{
    belay_new_alone();
    void *block = malloc(size);
    if (block == NULL)
        abort();
    return block;
}

/* C++17 8.3.5: the size is that of the block, or another type is deleted than was made. */
static inline void belay_delete_sized(void *p, size_t size)
{
    size_t there = __belay_object_size(p);
    free(p);
    __belay_precondition(p == NULL || there == size, "operator delete: size of the block");
}

/* --- descriptors that are terminals ------------------------------------------------------------------------------- */

/* What isatty said of standard input, output and error, until one of them may have become another. */
extern struct belay_terminals {
    _Bool known[3], answer[3], others;
} __belay_terminals;

static inline void belay_forget_terminals(void)
{
    __belay_terminals.known[0] = __belay_terminals.known[1] = __belay_terminals.known[2] = 0;
}

/* --- who runs the program ---------------------------------------------------------------------------------------- */

/* Known once it was asked for, until the program sets one of them. */
enum { BELAY_UID, BELAY_EUID, BELAY_GID, BELAY_EGID, BELAY_IDS };
extern struct belay_ids {
    _Bool known[BELAY_IDS];
    uid_t number[BELAY_IDS];
} __belay_ids;

static inline uid_t belay_id(int which)
{
    if (!__belay_ids.known[which]) {
        __belay_ids.known[which] = 1;
        __belay_ids.number[which] = __VERIFIER_nondet_uint();
    }
    return __belay_ids.number[which];
}

static inline int belay_set_id(void)
{
    for (int i = 0; i < BELAY_IDS; i++)
        __belay_ids.known[i] = 0;
    return belay_attempt();
}

/* --- descriptors ------------------------------------------------------------------------------------------------- */

/* What all descriptors together still hold is finite, as streams are, until one is opened or moved, or the program writes: what it wrote it may read. */
static inline size_t belay_read_at_most(size_t n)
{
    size_t got = belay_size_at_most(n);
    if (__belay_endless_input)
        return got;
    if (!__belay_input.begun) {
        __belay_input.begun = 1;
        __belay_input.left = belay_stream_length();
    }
    __VERIFIER_assume(got <= (unsigned long long)__belay_input.left);
    __belay_input.left -= (long long)got;
    return got;
}

/* --- clocks ------------------------------------------------------------------------------------------------------ */

/* What was read last: no clock goes back, none is before its beginning, and none comes near the end of its type: a time in nanoseconds
 * fits 64 bits until 2262, so that seconds stay below 2^33. */
enum { BELAY_CLOCKS = 12 };
extern struct belay_clocks {
    clock_t processor;
    struct timespec wall[BELAY_CLOCKS]; /* by the number of the clock; 0 is the time of day */
} __belay_clocks;

/* A choice that is no time that the clock may show stands for the last one: so no run is left out. That the clock keeps its promises is said once more to those
 * who prove, and is so. */
static inline struct timespec belay_read_clock(unsigned clock)
{
    const time_t end = (time_t)(sizeof(time_t) == 8 ? 1LL << 33 : 0x78000000LL);
    struct timespec *last = &__belay_clocks.wall[clock], now;
    now.tv_sec = __VERIFIER_nondet_long() & (time_t)(sizeof(time_t) == 8 ? (1LL << 33) - 1 : 0x7fffffffLL);
    now.tv_nsec = __VERIFIER_nondet_long() & 0x3fffffff;
    if (now.tv_sec >= end || now.tv_nsec > 999999999 || now.tv_sec < last->tv_sec || (now.tv_sec == last->tv_sec && now.tv_nsec < last->tv_nsec))
        now = *last;
    __VERIFIER_assume(now.tv_sec >= 0 && now.tv_sec < end && now.tv_nsec >= 0 && now.tv_nsec <= 999999999);
    __VERIFIER_assume(now.tv_sec > last->tv_sec || (now.tv_sec == last->tv_sec && now.tv_nsec >= last->tv_nsec));
    *last = now;
    return now;
}

/* --- seeds --------------------------------------------------------------------------------------------------------- */

/* The same seed gives the same numbers again (C17 7.22.2.2), which are not remembered: once a seed may have been used before, what is drawn is more than the
 * library gives. */
enum { BELAY_SEEDS = 4 };
struct belay_seeds {
    _Bool drawn; /* numbers were drawn, by the seed 1 if none was given */
    int count;
    unsigned long seeds[BELAY_SEEDS];
};
extern struct belay_seeds __belay_seeds, __belay_seeds48;

static inline void belay_seed(struct belay_seeds *known, unsigned long seed)
{
    _Bool again = (known->drawn && seed == 1) || known->count == BELAY_SEEDS;
    for (int i = 0; i < known->count; i++)
        again |= known->seeds[i] == seed;
    if (again)
        __belay_approximate("a seed that was used before repeats its numbers");
    else
        known->seeds[known->count++] = seed;
}

/* --- functions to be called at the end ---------------------------------------------------------------------------- */

enum { BELAY_HANDLERS = 32 };

extern struct belay_handlers {
    int count;
    void (*functions[BELAY_HANDLERS])(void);
} __belay_handlers;

/* --- other models that models call -------------------------------------------------------------------------------- */

void *memchr(const void *s, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strchrnul(const char *s, int c);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
size_t strspn(const char *s, const char *accept);
size_t strcspn(const char *s, const char *reject);
size_t strnlen(const char *s, size_t n);
char *strtok_r(char *s, const char *delimiters, char **rest);
char *strncpy(char *dst, const char *src, size_t n);
size_t wcslen(const wchar_t *s);
size_t wcsnlen(const wchar_t *s, size_t n);
int wcscmp(const wchar_t *a, const wchar_t *b);
wchar_t *wcsncpy(wchar_t *dst, const wchar_t *src, size_t n);
wchar_t *wcschr(const wchar_t *s, wchar_t c);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n);
long strtol(const char *s, char **end, int base);
long long strtoll(const char *s, char **end, int base);
unsigned long strtoul(const char *s, char **end, int base);
unsigned long long strtoull(const char *s, char **end, int base);
double strtod(const char *s, char **end);
float strtof(const char *s, char **end);
long wcstol(const wchar_t *s, wchar_t **end, int base);
long long wcstoll(const wchar_t *s, wchar_t **end, int base);
unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base);
unsigned long long wcstoull(const wchar_t *s, wchar_t **end, int base);
char *strerror(int number);
void *aligned_alloc(size_t alignment, size_t size);
int rand(void);
long random(void);
int fgetc(FILE *stream);
wint_t fgetwc(FILE *stream);
int fputc(int c, FILE *stream);
int fputs(const char *s, FILE *stream);
char *fgets(char *s, int n, FILE *stream);
size_t fread(void *p, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *p, size_t size, size_t count, FILE *stream);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
int vfscanf(FILE *stream, const char *format, va_list args);
int vsscanf(const char *s, const char *format, va_list args);
int vswscanf(const wchar_t *s, const wchar_t *format, va_list args);
int vfwscanf(FILE *stream, const wchar_t *format, va_list args);
size_t mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state);
size_t mbsnrtowcs(wchar_t *dst, const char **from, size_t most, size_t n, mbstate_t *state);
size_t wcsnrtombs(char *dst, const wchar_t **from, size_t most, size_t n, mbstate_t *state);
struct tm *gmtime_r(const time_t *t, struct tm *result);
struct tm *localtime_r(const time_t *t, struct tm *result);
char *asctime_r(const struct tm *t, char *text);
double trunc(double x);
double floor(double x);
double ceil(double x);
double rint(double x);
double round(double x);
double fmod(double x, double y);
float fmodf(float x, float y);
double ldexp(double x, int n);
float truncf(float x);
float floorf(float x);
float ceilf(float x);
float rintf(float x);
float roundf(float x);
float ldexpf(float x, int n);
ssize_t read(int fd, void *buffer, size_t n);
ssize_t write(int fd, const void *buffer, size_t n);
ssize_t recvfrom(int fd, void *buffer, size_t n, int flags, struct sockaddr *from, socklen_t *length);

#endif
