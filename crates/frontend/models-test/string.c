/* string.h and strings.h. */
#include "harness.h"

#define A any_string(8)
AGREE(memcmp, size_t n = below(10); char *a = random_block(n); char *b = copy_block(a, n); if (n && below(2)) b[below(n)] ^= 1 << below(8), SIGN(f(a, b, n)))
AGREE(bcmp, size_t n = below(10); char *a = random_block(n); char *b = copy_block(a, n); if (n && below(2)) b[below(n)] ^= 1, f(a, b, n) != 0)
AGREE(memchr, char *a = A; int c = any_byte(); size_t n = memchr(a, c, strlen(a) + 1) && below(2) ? SIZE_MAX / 4 : below(strlen(a) + 2), f(a, c, n))
AGREE(memrchr, char *a = A; int c = any_byte(); size_t n = below(strlen(a) + 2), f(a, c, n))
AGREE(rawmemchr, char *a = A; int c = a[below(strlen(a) + 1)], f(a, c))
AGREE(memmem, char *a = A; char *b = any_string(3); size_t n = below(strlen(a) + 2); size_t m = below(strlen(b) + 2), f(a, n, b, m))
AGREE_WRITE(memccpy, char *s = A; size_t n = below(strlen(s) + 2); int c = any_byte(), n, OFFSET(f(d, s, c, n), d))
AGREE_WRITE(mempcpy, size_t n = below(9); char *s = random_block(n), n + below(2), OFFSET(f(d, s, n), d))
AGREE_WRITE(memfrob, size_t n = below(9), n, OFFSET(f(d, n), d))
AGREE_WRITE(swab, int n = (int)below(9) - 2; char *s = random_block(8), 8, (f(s, d, n), 0))
AGREE_WRITE(bcopy, size_t n = below(9); size_t i = below(4); size_t j = below(4), n + 4, (f((char *)d + i, (char *)d + j, n), 0))
AGREE_WRITE(bzero, size_t n = below(9), n, (f(d, n), 0))
AGREE_WRITE(explicit_bzero, size_t n = below(9), n, (f(d, n), 0))
AGREE_WRITE(strcpy, char *s = A, strlen(s) + 1 + below(3), OFFSET(f(d, s), d))
AGREE_WRITE(stpcpy, char *s = A, strlen(s) + 1 + below(3), OFFSET(f(d, s), d))
AGREE_WRITE(strncpy, size_t n; char *s = any_bounded(&n), n, OFFSET(f(d, s, n), d))
AGREE_WRITE(stpncpy, size_t n; char *s = any_bounded(&n), n, OFFSET(f(d, s, n), d))
AGREE_WRITE(strxfrm, char *s = A; size_t n = strlen(s) + 1 + below(4), n, f(d, s, n))
#undef BUFFER
static void *string_block(size_t n)
{
    char *p = random_block(n);
    size_t end = below(n > 6 ? 6 : n);
    for (size_t i = 0; i < end; i++)
        p[i] = alphabet()[below(strlen(alphabet()))];
    p[end] = '\0';
    return p;
}
static size_t room;
static void *appendable(size_t n)
{
    char *p = random_block(n);
    size_t end = n - 1 - room;
    for (size_t i = 0; i < end; i++)
        p[i] = 'x';
    p[end] = '\0';
    return p;
}
#define BUFFER appendable
AGREE_WRITE(strcat, char *s = A; room = strlen(s), room + 1 + below(4), OFFSET(f(d, s), d))
AGREE_WRITE(strncat, size_t n; char *s = any_bounded(&n); room = strnlen(s, n), room + 1 + below(4), OFFSET(f(d, s, n), d))
#undef BUFFER
#define BUFFER string_block
/* No strlcpy in this glibc: what the manual says. */
size_t strlcpy(char *d, const char *s, size_t n)
{
    snprintf(d, n, "%s", s);
    return strlen(s);
}
size_t strlcat(char *d, const char *s, size_t n)
{
    size_t end = strnlen(d, n);
    if (end < n)
        snprintf(d + end, n - end, "%s", s);
    return end + strlen(s);
}
AGREE_WRITE(strlcpy, char *s = A; size_t n = below(12), n + 1, f(d, s, n))
AGREE_WRITE(strlcat, char *s = A; size_t n = below(12), n + 1, f(d, s, n))

AGREE(strcmp, char *a = A; char *b = below(3) ? A : copy_block(a, strlen(a) + 1), SIGN(f(a, b)))
AGREE(strncmp, size_t n; char *a = any_bounded(&n); size_t length = strnlen(a, n); char *b = copy_block(a, length < n ? length + 1 : n); if (length && below(2)) b[below(length)] = any_byte(), SIGN(f(a, b, n)))
AGREE(strcasecmp, char *a = A; char *b = below(3) ? A : copy_block(a, strlen(a) + 1), SIGN(f(a, b)))
AGREE(strncasecmp, size_t n; char *a = any_bounded(&n); size_t length = strnlen(a, n); char *b = copy_block(a, length < n ? length + 1 : n); if (length && below(2)) b[below(length)] = any_byte(), SIGN(f(a, b, n)))
AGREE(strcoll, char *a = A; char *b = A, SIGN(f(a, b)))
AGREE(strchr, char *a = A; int c = any_byte(), f(a, c))
AGREE(index, char *a = A; int c = any_byte(), f(a, c))
AGREE(strchrnul, char *a = A; int c = any_byte(), f(a, c))
AGREE(strrchr, char *a = A; int c = any_byte(), f(a, c))
AGREE(rindex, char *a = A; int c = any_byte(), f(a, c))
AGREE(strspn, char *a = A; char *b = any_string(3), f(a, b))
AGREE(strcspn, char *a = A; char *b = any_string(2), f(a, b))
AGREE(strpbrk, char *a = A; char *b = any_string(2), f(a, b))
AGREE(strstr, char *a = A; char *b = any_string(3), f(a, b))
AGREE(strcasestr, char *a = A; char *b = any_string(3), f(a, b))
AGREE(strnlen, size_t n; char *a = any_bounded(&n), f(a, n))
AGREE(basename, set_alphabet("a/"); char *a = A, f(a))
AGREE(strerror, int n = below(4) ? (int)below(140) : (int)any_number(); char *text = strdup(strerror(n)), (strcmp(f(n), text) == 0) + 0 * (k ? (free(text), 0) : 0))

MODEL(strdup); MODEL(strndup); extern __typeof__(strdup) m___strdup; MODEL(strtok); MODEL(strtok_r); MODEL(__strtok_r); MODEL(strsep);
TEST(strdup)
{
    char *s = A, *x = below(2) ? m_strdup(s) : m___strdup(s);
    int same = x != s && strcmp(x, s) == 0;
    free(x);
    return same;
}
TEST(strndup)
{
    size_t n;
    char *s = any_bounded(&n);
    char *x = m_strndup(s, n), *y = strndup(s, n);
    int same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}
static int same_tokens(int which)
{
    char *s = A, *t = copy_block(s, strlen(s) + 1), *d = any_string(2), *p = NULL, *q = NULL;
    size_t n = strlen(s) + 1;
    for (int i = 0; i < 10; i++) {
        char *x, *y;
        if (which == 0) {
            x = strtok(i ? NULL : s, d);
            y = m_strtok(i ? NULL : t, d);
        } else if (which == 1) {
            x = strtok_r(i ? NULL : s, d, &p);
            y = below(2) ? m_strtok_r(i ? NULL : t, d, &q) : m___strtok_r(i ? NULL : t, d, &q);
        } else {
            if (i == 0)
                p = s, q = t;
            x = strsep(&p, d);
            y = m_strsep(&q, d);
        }
        if (OFFSET(x, s) != OFFSET(y, t) || memcmp(s, t, n) != 0)
            return 0;
        if (which > 0 && OFFSET(p, s) != OFFSET(q, t))
            return 0;
    }
    return 1;
}
TEST(strtok) { return same_tokens(0); }
TEST(strtok_r) { return same_tokens(1); }
TEST(strsep) { return same_tokens(2); }

/* Overlap is a violation exactly where the bytes that are read and written meet. */
static int overlaps(size_t i, size_t n, size_t j, size_t m) { return n > 0 && m > 0 && i < j + m && j < i + n; }
#define OVERLAP(name, written, read, call)                                        \
    TEST_N(name##_overlap, #name " overlap", 2000)                                \
    {                                                                             \
        size_t i = below(16), j = below(16), len = below(4), n = below(6);        \
        char *p = random_block(40);                                               \
        memset(p, 'y', 40);                                                       \
        p[j + len] = '\0';                                                        \
        char *d = p + i, *s = p + j;                                              \
        (void)n;                                                                  \
        p[39] = '\0';                                                             \
        int expected = overlaps(i, written, j, read);                             \
        return ENDING(call) == (expected ? VIOLATED : FINISHED);                  \
    }
#define MIN(a, b) ((a) < (b) ? (a) : (b))
OVERLAP(strcpy, len + 1, len + 1, m_strcpy(d, s))
OVERLAP(stpcpy, len + 1, len + 1, m_stpcpy(d, s))
OVERLAP(strncpy, n, MIN(n, len + 1), m_strncpy(d, s, n))
OVERLAP(stpncpy, n, MIN(n, len + 1), m_stpncpy(d, s, n))
OVERLAP(mempcpy, n, n, m_mempcpy(d, s, n))
OVERLAP(memccpy, MIN(n, len + 1), MIN(n, len + 1), m_memccpy(d, s, 0, n))
OVERLAP(strlcpy, n == 0 ? 0 : MIN(n, len + 1), len + 1, m_strlcpy(d, s, n))
TEST_N(strcat_overlap, "strcat overlap", 2000)
{
    char *p = random_block(40);
    size_t i = below(8), j = below(30), end = below(6), len = below(4);
    memset(p, 'y', 40);
    p[i + end] = p[j + len] = p[39] = '\0';
    end = strlen(p + i);
    len = strlen(p + j);
    int expected = overlaps(i, end + len + 1, j, len + 1);
    return ENDING(m_strcat(p + i, p + j)) == (expected ? VIOLATED : FINISHED);
}
TEST_N(memcmp_region, "memcmp region", 500)
{
    size_t n = below(6), m = below(6), k = below(7);
    char *a = block(n), *b = block(m);
    memset(a, 1, n);
    memset(b, 2, m);
    return ENDING(m_memcmp(a, b, k)) == (k <= n && k <= m ? FINISHED : VIOLATED);
}
MODEL(strerror_r);
TEST(strerror_r)
{
    int number = below(2) ? (int)below(140) : (int)any_number();
    size_t n = below(30);
    __typeof__(&strerror_r) native = (__typeof__(&strerror_r))library("strerror_r", (void *)&strerror_r);
    char *a = block(n), *b = block(n), *x = native(number, a, n), *y = m_strerror_r(number, b, n);
    return n == 0 || strcmp(x, y) == 0;
}

/* What a function without a body leaves: the bytes that it was given change, and no others. */
void m___belay_overwrite(void *, size_t);
TEST_N(overwrite, "__belay_overwrite", 500)
{
    size_t before = below(5), n = below(20);
    unsigned char *p = block(before + n + 3);
    memset(p, 7, before + n + 3);
    m___belay_overwrite(p + before, n);
    int ok = 1;
    for (size_t i = 0; i < before; i++)
        ok &= p[i] == 7;
    for (size_t i = before + n; i < before + n + 3; i++)
        ok &= p[i] == 7;
    return ok;
}
