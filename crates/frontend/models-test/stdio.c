/* Streams: what comes is arbitrary, so the tests state what must hold of it. */
#include "harness.h"
MODEL(stdin);
MODEL(stdout);

MODEL(fopen); MODEL(fclose); MODEL(feof); MODEL(ferror); MODEL(clearerr); MODEL(fgetc); MODEL(getc); MODEL(getchar); MODEL(ungetc);
MODEL(fgets); MODEL(getline); MODEL(fread); MODEL(fwrite); MODEL(fputs); MODEL(puts); MODEL(fputc); MODEL(putc); MODEL(putchar);
MODEL(fseek); MODEL(ftell); MODEL(rewind); MODEL(remove); MODEL(rename); MODEL(perror); MODEL(setvbuf); MODEL(setbuf); MODEL(fflush);
MODEL(fgetwc); MODEL(fgetws); MODEL(fputws); MODEL(fputwc); MODEL(freopen); MODEL(fileno); MODEL(tmpfile); MODEL(popen); MODEL(pclose);
MODEL(fdopen);
extern char *m_gets(char *);

static FILE *opened(void)
{
    FILE *volatile f = NULL;
    while (f == NULL)
        if (!FINISHES(f = m_fopen("name", "r")))
            return NULL;
    return f;
}
TEST_N(fopen, "fopen fclose freopen tmpfile popen pclose fdopen", 1000)
{
    FILE *volatile g = NULL, *volatile h = NULL, *volatile p = NULL, *volatile q = NULL;
    if (!FINISHES(g = m_freopen("other", "w", opened())))
        return 0;
    if (g != NULL && !FINISHES(m_clearerr(g)))
        return 0;
    if (g != NULL)
        free(g);
    FINISHES(h = m_tmpfile());
    FINISHES(p = m_popen("command", "r"));
    FINISHES(q = m_fdopen(0, "r"));
    if (h != NULL)
        ENDING(m_fclose(h));
    if (p != NULL)
        ENDING(m_pclose(p));
    free(q);
    return 1;
}
TEST_N(stream_null, "streams are not null", 20)
{
    char *s = block(4);
    return ENDING(m_fclose(NULL)) == VIOLATED && ENDING(m_fgets(s, 4, NULL)) == VIOLATED && ENDING(m_fputs("", NULL)) == VIOLATED &&
           ENDING(m_feof(NULL)) == VIOLATED && ENDING(m_fgetc(NULL)) == VIOLATED;
}
TEST_N(fgetc, "fgetc getc getchar ungetc feof ferror clearerr rewind", 3000)
{
    FILE *f = opened();
    int c = below(2) ? m_fgetc(f) : m_getc(f), d, ok;
    if (c == EOF) {
        ok = (m_feof(f) != 0) != (m_ferror(f) != 0) && (!m_feof(f) || m_fgetc(f) == EOF);
        if (below(2))
            m_clearerr(f);
        else
            m_rewind(f);
        ok = ok && !m_feof(f) && !m_ferror(f);
    } else {
        ok = c >= 0 && c <= 255 && m_ungetc(c, f) == c && !m_feof(f) && m_fgetc(f) == c;
    }
    ok = ok && m_ungetc(EOF, f) == EOF;
    free(f);
    m_clearerr(m_stdin);
    d = m_getchar();
    return ok && d >= EOF && d <= 255;
}
TEST_N(fgets, "fgets", 5000)
{
    FILE *f = opened();
    set_alphabet("ab\n");
    int n = (int)below(9);
    char *s = block((size_t)n), *t = copy_block(s, 0), *r;
    memset(s, 'q', (size_t)n);
    r = m_fgets(s, n, f);
    int ok = r == NULL || r == s;
    if (n == 0 || n == 1)
        ok = ok && (n == 0) == (r == NULL);
    else if (r == NULL)
        ok = ok && (m_feof(f) || m_ferror(f));
    else
        ok = ok && memchr(s, 0, (size_t)n) != NULL;
    if (r != NULL && n > 1) {
        char *line = memchr(s, '\n', (size_t)n);
        ok = ok && (line == NULL || line + 1 >= s + n || line[1] == '\0');
    }
    (void)t;
    free(f);
    m_clearerr(m_stdin);
    return ok && ENDING(m_fgets(s, n + 1, m_stdin)) == VIOLATED;
}
TEST_N(gets, "gets overruns", 200)
{
    char *s = block(4);
    for (int i = 0; i < 100; i++) {
        m_clearerr(m_stdin);
        if (ENDING(m_gets(s)) == VIOLATED)
            return 1;
    }
    return 0;
}
TEST_N(getline, "getline getdelim", 2000)
{
    FILE *f = opened();
    char *line = NULL;
    size_t size = 0;
    ssize_t n = m_getline(&line, &size, f);
    int ok = n == -1 || (n > 0 && (size_t)n < size && line[n] == '\0' && (line[n - 1] == '\n' || m_feof(f) || m_ferror(f)) && memchr(line, '\n', (size_t)n - 1) == NULL);
    free(line);
    free(f);
    return ok;
}
TEST_N(fread, "fread", 3000)
{
    FILE *f = opened();
    size_t size = below(4), count = below(5);
    char *p = block(size * count);
    int pushed = below(2) ? m_ungetc('!', f) : 0;
    volatile size_t n = 0;
    int ok = FINISHES(n = m_fread(p, size, count, f)) && n <= count;
    if (size > 0 && count > 0)
        ok = ok && (n == count || m_feof(f) || m_ferror(f)) && (pushed != '!' || n == 0 || p[0] == '!');
    free(f);
    m_clearerr(m_stdin);
    return ok && ENDING(m_fread(p, size * count + 1, 1, m_stdin)) == VIOLATED;
}
TEST_N(fwrite, "fwrite fputs puts fputc putc putchar fflush", 3000)
{
    FILE *f = opened();
    size_t size = below(4), count = below(5);
    char *p = block(size * count);
    volatile size_t n = 0;
    volatile int a = 0, b = 0, c = 0;
    char *s = any_string(5);
    int ok = FINISHES(n = m_fwrite(p, size, count, f)) && n <= count && FINISHES(a = m_fputs(s, f)) && a >= EOF && FINISHES(b = m_puts(s)) && b >= EOF;
    c = m_fputc(300, f);
    ok = ok && (c == EOF ? m_ferror(f) : c == 44);
    c = m_putc('a', f);
    c = m_putchar('a');
    ok = ok && (c == EOF || c == 'a') && FINISHES(m_fflush(f)) && FINISHES(m_fflush(NULL));
    free(f);
    return ok && ENDING(m_fwrite(p, size * count + 1, 1, m_stdout)) == VIOLATED;
}
TEST_N(fseek, "fseek ftell setvbuf setbuf fileno perror remove rename", 1000)
{
    FILE *f = opened();
    char *big = block(8192), *path = any_string(4);
    volatile long at = 0;
    volatile int r = 9;
    int ok = FINISHES(r = m_fseek(f, 3, 0)) && (r == 0 || r == -1) && (r == -1 || !m_feof(f)) && FINISHES(at = m_ftell(f)) && at >= -1;
    ok = ok && FINISHES(m_setvbuf(f, big, 0, 8192)) && FINISHES(m_setbuf(f, big)) && ENDING(m_setvbuf(f, big, 0, 8193)) == VIOLATED && ENDING(m_setbuf(f, big + 1)) == VIOLATED;
    ok = ok && FINISHES(r = m_fileno(f)) && r >= 0 && m_fileno(m_stdout) == 1;
    m_perror(path);
    m_perror(NULL);
    ok = ok && FINISHES(r = m_remove(path)) && (r == 0 || r == -1) && FINISHES(r = m_rename(path, path)) && (r == 0 || r == -1);
    free(f);
    return ok;
}
MODEL(fgetpos); MODEL(fsetpos); MODEL(tmpnam); MODEL(ungetwc); MODEL(fwide);
TEST_N(fgetpos, "fgetpos fsetpos tmpnam", 1000)
{
    FILE *f = opened();
    fpos_t *at = block(sizeof *at);
    char *name = block(L_tmpnam), *volatile given = NULL;
    volatile int r = 9, s = 9;
    int ok = FINISHES(r = m_fgetpos(f, at)) && (r == 0 || r == -1) && (r == -1 || (FINISHES(s = m_fsetpos(f, at)) && (s == 0 || s == -1)));
    ok = ok && FINISHES(given = m_tmpnam(name)) && (given == NULL || (given == name && strlen(name) < L_tmpnam));
    free(f);
    return ok && ENDING(m_tmpnam(name + 1)) == VIOLATED;
}
TEST_N(ungetwc, "ungetwc fgetwc fwide", 1000)
{
    FILE *f = opened();
    wint_t c = (wint_t)below(70000);
    int ok = m_ungetwc(c, f) == c && m_fgetwc(f) == c && m_ungetwc(WEOF, f) == WEOF && m_ungetwc(c, f) == c && ENDING(m_fgetc(f)) == UNSUPPORTED;
    m_fwide(f, 1);
    free(f);
    return ok;
}
TEST_N(fgetws, "fgetwc fgetws fputws fputwc", 2000)
{
    FILE *f = opened();
    int n = 1 + (int)below(6);
    wchar_t *s = block((size_t)n * sizeof *s), *volatile r = NULL;
    volatile int w = 0;
    int ok = FINISHES((m_clearerr(f), r = m_fgetws(s, n, f))) && (r == NULL || wmemchr(s, 0, (size_t)n) != NULL);
    ok = ok && FINISHES(w = m_fputws(any_wide(4), f)) && w >= -1;
    m_fputwc('a', f);
    free(f);
    m_clearerr(m_stdin);
    return ok && ENDING(m_fgetws(s, n + 1, m_stdin)) == VIOLATED;
}
/* Unless the translation finds otherwise, a program may do either. */
extern const int m___belay_closes, m___belay_scans;
TEST_N(options, "what programs may do with streams", 1) { return m___belay_closes == 1 && m___belay_scans == 1; }
extern unsigned long long m___belay_uninterpreted(int, unsigned long long, unsigned long long, unsigned long long);
TEST_N(uninterpreted, "uninterpreted functions", 1)
{
    unsigned long long first = 0, again = 1;
    if (!FINISHES((first = m___belay_uninterpreted(1, 2, 3, 4), again = m___belay_uninterpreted(1, 2, 3, 4))))
        return 0;
    return first == again;
}
extern void m___belay_stdout_open(void);
TEST_N(stdout_open, "whether stdout is open", 1) { return FINISHES(m___belay_stdout_open()); }
