/* ctype.h: every argument that glibc answers for (C allows -1 to 255), and the precondition for the others; the tables of glibc. */
#include "harness.h"
#include <ctype.h>
#undef isascii
#undef toascii
#undef _tolower
#undef _toupper

#define ALL(name)                                                                 \
    MODEL(name);                                                                  \
    TEST_N(name, #name, 1)                                                        \
    {                                                                             \
        for (int c = -128; c < 256; c++)                                            \
            if ((name)(c) != m_##name(c))                                         \
                return 0;                                                         \
        for (int c = -400; c < 600; c++)                                          \
            if ((c < -128 || c > 255) && ENDING(m_##name(c)) != VIOLATED)           \
                return 0;                                                         \
        return 1;                                                                 \
    }
ALL(isalnum) ALL(isalpha) ALL(isblank) ALL(iscntrl) ALL(isdigit) ALL(isgraph) ALL(islower) ALL(isprint) ALL(ispunct)
ALL(isspace) ALL(isupper) ALL(isxdigit)
/* glibc looks before it reads its table. */
#define TOTAL(name)                                                               \
    MODEL(name);                                                                  \
    TEST_N(name, #name, 1)                                                        \
    {                                                                             \
        for (int c = -400; c < 600; c++)                                          \
            if ((name)(c) != m_##name(c))                                         \
                return 0;                                                         \
        return (name)(2147483647) == m_##name(2147483647);                        \
    }
TOTAL(tolower) TOTAL(toupper)
AGREE(isascii, int c = (int)any_number(), f(c) != 0)
AGREE(toascii, int c = (int)any_number(), f(c))
extern int m__tolower(int), m__toupper(int);
TEST_N(_tolower, "_tolower _toupper", 1)
{
    for (int c = 'a'; c <= 'z'; c++)
        if (m__toupper(c) != c - 32 || m__tolower(c - 32) != c)
            return 0;
    return 1;
}
#define TABLE(name)                                                               \
    MODEL(name);                                                                  \
    TEST_N(name, #name, 1)                                                        \
    {                                                                             \
        for (int c = -128; c < 256; c++)                                          \
            if ((*name())[c] != (*m_##name())[c])                                 \
                return 0;                                                         \
        return m_##name() == m_##name();                                          \
    }
TABLE(__ctype_b_loc) TABLE(__ctype_tolower_loc) TABLE(__ctype_toupper_loc)
