/* Calls that C forbids: the model must make the forbidden access, so that the verifier sees it. Each runs in a child, which the
 * sanitizer ends. */
#include "harness.h"
#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
MODEL(stdout);

static int faults(void (*call)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(2);
        int how;
        do
            how = ENDING(call());
        while (how == ASSUMED);
        _exit(how != FINISHED);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}
#define FAULT(name, code)                                                         \
    static void call_##name(void) { code; }                                       \
    TEST_N(fault_##name, "fault " #name, 1) { return faults(call_##name); }

/* Three bytes without a NUL. */
static char *open_text(void)
{
    char *s = block(3);
    memcpy(s, "abc", 3);
    return s;
}
static wchar_t *open_wide(void)
{
    wchar_t *s = block(3 * sizeof *s);
    wmemset(s, 'a', 3);
    return s;
}
MODEL(strcpy); MODEL(strncpy); MODEL(stpcpy); MODEL(strcat); MODEL(strncat); MODEL(strcmp); MODEL(strncmp); MODEL(strchr); MODEL(strrchr);
MODEL(strspn); MODEL(strcspn); MODEL(strpbrk); MODEL(strstr); MODEL(strtok); MODEL(strsep); MODEL(strdup); MODEL(strndup); MODEL(strnlen);
MODEL(memchr); MODEL(memccpy); MODEL(strcasecmp); MODEL(wcscpy); MODEL(wcsncpy); MODEL(wcslen); MODEL(wcscat); MODEL(wcscmp); MODEL(wmemset);
MODEL(atoi); MODEL(strtol); MODEL(fputs); MODEL(puts); MODEL(sscanf); MODEL(getline); MODEL(fopen); MODEL(fclose); MODEL(feof); MODEL(rand_r);
MODEL(modf); MODEL(frexp); MODEL(time); MODEL(abs); MODEL(labs); MODEL(llabs); MODEL(div); MODEL(ldiv); MODEL(getenv); MODEL(fputws); MODEL(wcsdup);
MODEL(strxfrm);
size_t m_strlcpy(char *, const char *, size_t);

FAULT(strcpy_source, m_strcpy(block(20), open_text()))
FAULT(strcpy_target, m_strcpy(block(3), "abc"))
FAULT(strncpy_source, m_strncpy(block(20), open_text(), 4))
FAULT(strncpy_target, m_strncpy(block(5), "ab", 6))
FAULT(stpcpy_target, m_stpcpy(block(3), "abc"))
FAULT(strcat_target, m_strcat(strcpy(block(5), "abc"), "de"))
FAULT(strcat_open, m_strcat(open_text(), ""))
FAULT(strncat_target, m_strncat(strcpy(block(5), "abc"), "def", 2))
FAULT(strlcpy_source, m_strlcpy(block(2), open_text(), 2))
FAULT(strcmp_open, char *a = open_text(); m_strcmp(a, "abc"))
FAULT(strncmp_open, m_strncmp(open_text(), "abc", 4))
FAULT(strcasecmp_open, m_strcasecmp(open_text(), "abc"))
FAULT(strchr_open, m_strchr(open_text(), 'z'))
FAULT(strrchr_open, m_strrchr(open_text(), 'a'))
FAULT(strspn_open, m_strspn(open_text(), "abc"))
FAULT(strspn_set, m_strspn("z", open_text()))
FAULT(strcspn_open, m_strcspn(open_text(), "z"))
FAULT(strpbrk_open, m_strpbrk(open_text(), "z"))
FAULT(strstr_open, m_strstr(open_text(), "cd"))
FAULT(strtok_first, m_strtok(NULL, ","))
FAULT(strtok_literal, m_strtok(open_text(), ","))
FAULT(strsep_open, char *s = open_text(); m_strsep(&s, ","))
FAULT(strdup_open, m_strdup(open_text()))
FAULT(strndup_open, m_strndup(open_text(), 4))
FAULT(strnlen_open, m_strnlen(open_text(), 4))
FAULT(strxfrm_target, m_strxfrm(block(2), "ab", 3))
FAULT(memchr_beyond, m_memchr(open_text(), 'z', 4))
FAULT(memccpy_target, m_memccpy(block(2), "abc", 'c', 3))
FAULT(wcscpy_target, m_wcscpy(block(3 * sizeof(wchar_t)), L"abc"))
FAULT(wcsncpy_target, m_wcsncpy(block(3 * sizeof(wchar_t)), L"a", 4))
FAULT(wcslen_open, m_wcslen(open_wide()))
FAULT(wcscat_target, m_wcscat(wcscpy(block(4 * sizeof(wchar_t)), L"abc"), L"d"))
FAULT(wcscmp_open, m_wcscmp(open_wide(), L"aaaa"))
FAULT(wcsdup_open, m_wcsdup(open_wide()))
FAULT(wmemset_beyond, m_wmemset(open_wide(), 0, 4))
FAULT(fputws_open, m_fputws(open_wide(), m_stdout))
FAULT(atoi_open, char *s = block(2); s[0] = s[1] = '1'; m_atoi(s))
FAULT(strtol_end, m_strtol("1", (char **)block(1), 10))
FAULT(fputs_open, m_fputs(open_text(), m_stdout))
FAULT(puts_open, m_puts(open_text()))
FAULT(sscanf_text, m_sscanf("abc", "%s", block(3)))
FAULT(sscanf_width, m_sscanf("abcdef", "%3s", block(3)))
FAULT(sscanf_int, m_sscanf("1", "%d", block(3)))
FAULT(sscanf_long, m_sscanf("1", "%lld", block(7)))
FAULT(sscanf_chars, m_sscanf("abc", "%3c", block(2)))
FAULT(sscanf_open, m_sscanf(open_text(), "%*s"))
FAULT(fclose_twice, FILE *f; while ((f = m_fopen("", "r")) == NULL); m_fclose(f); m_fclose(f))
FAULT(feof_closed, FILE *f; while ((f = m_fopen("", "r")) == NULL); m_fclose(f); m_feof(f))
FAULT(getenv_open, m_getenv(open_text()))
FAULT(rand_r_seed, m_rand_r(block(3)))
FAULT(modf_place, m_modf(1.5, block(7)))
FAULT(frexp_place, m_frexp(1.5, block(3)))
FAULT(time_place, m_time(block(1)))
FAULT(abs_overflow, m_abs(INT_MIN))
FAULT(labs_overflow, m_labs(LONG_MIN))
FAULT(llabs_overflow, m_llabs(LLONG_MIN))
FAULT(div_zero, m_div(1, 0))
FAULT(ldiv_overflow, m_ldiv(LONG_MIN, -1))
/* The harness itself: a call that C allows does not fault. */
static void allowed(void) { m_strcpy(block(4), "abc"); m_strncpy(block(2), open_text(), 2); m_strnlen(open_text(), 3); m_memchr(open_text(), 'c', 9); }
TEST_N(fault_none, "no fault", 1) { return !faults(allowed); }
