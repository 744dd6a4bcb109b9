/* time.h, unistd.h, sockets. */
#include "harness.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

MODEL(read); MODEL(write); MODEL(recv); MODEL(send); MODEL(recvfrom); MODEL(sendto); MODEL(accept); MODEL(connect); MODEL(bind);
MODEL(listen); MODEL(socket); MODEL(close); MODEL(open); MODEL(sleep); MODEL(usleep); MODEL(nanosleep); MODEL(getpid); MODEL(getuid);
MODEL(time); MODEL(clock); MODEL(gettimeofday); MODEL(clock_gettime); MODEL(localtime); MODEL(gmtime); MODEL(strftime); MODEL(getcwd);
MODEL(readlink); MODEL(gethostname); MODEL(pipe); MODEL(dup); MODEL(dup2); MODEL(lseek); MODEL(access); MODEL(unlink); MODEL(localtime_r);

TEST_N(read, "read recv recvfrom", 3000)
{
    size_t n = below(20);
    char *p = block(n);
    volatile ssize_t r = -2, q = -2, t = -2;
    memset(p, 7, n);
    int ok = FINISHES(r = m_read(0, p, n)) && r >= -1 && r <= (ssize_t)n && FINISHES(q = m_recv(0, p, n, 0)) && q >= -1 && q <= (ssize_t)n;
    struct sockaddr_in *a = block(sizeof *a);
    socklen_t *length = block(sizeof *length);
    ok = ok && FINISHES(({ *length = sizeof *a; t = m_recvfrom(0, p, n, 0, (struct sockaddr *)a, length); })) && t >= -1 && t <= (ssize_t)n;
    return ok && ENDING(m_read(0, p, n + 1)) == VIOLATED;
}
TEST_N(write, "write send sendto", 3000)
{
    size_t n = below(20);
    char *p = block(n);
    volatile ssize_t r = -2;
    int ok = FINISHES(r = m_write(0, p, n)) && r >= -1 && r <= (ssize_t)n && FINISHES(r = m_send(0, p, n, 0)) && FINISHES(r = m_sendto(0, p, n, 0, NULL, 0));
    return ok && ENDING(m_write(0, p, n + 1)) == VIOLATED;
}
TEST_N(socket, "socket connect bind listen accept open close pipe dup dup2 lseek access unlink", 2000)
{
    struct sockaddr_in *a = block(sizeof *a);
    socklen_t *length = block(sizeof *length);
    int *fds = block(2 * sizeof *fds);
    char *path = any_string(4);
    volatile int r = -2;
    volatile long at = -2;
    int ok = FINISHES(r = m_socket(1, 2, 3)) && r >= -1 && FINISHES(r = m_connect(1, (struct sockaddr *)a, sizeof *a)) && (r == 0 || r == -1);
    ok = ok && FINISHES(r = m_bind(1, (struct sockaddr *)a, sizeof *a)) && (r == 0 || r == -1) && FINISHES(r = m_listen(1, 2));
    ok = ok && FINISHES(({ *length = sizeof *a; r = m_accept(1, (struct sockaddr *)a, length); })) && r >= -1;
    ok = ok && FINISHES(r = m_open(path, O_RDONLY)) && r >= -1 && FINISHES(r = m_close(3)) && (r == 0 || r == -1);
    ok = ok && FINISHES(r = m_pipe(fds)) && (r == -1 || (fds[0] >= 0 && fds[1] >= 0)) && FINISHES(r = m_dup(1)) && r >= -1;
    ok = ok && FINISHES(r = m_dup2(1, 5)) && (r == 5 || r == -1) && FINISHES(at = m_lseek(1, 0, 0)) && at >= -1;
    ok = ok && FINISHES(r = m_access(path, 0)) && FINISHES(r = m_unlink(path));
    return ok && ENDING(m_bind(1, (struct sockaddr *)a, sizeof *a + 1)) == VIOLATED;
}
/* The clocks of the models begin anew, or they would soon be at their end. */
extern char m___belay_clocks[];
static void reset_clocks(void) { memset(m___belay_clocks, 0, sizeof(clock_t) + 12 * sizeof(struct timespec)); }

TEST_N(time, "time clock gettimeofday clock_gettime sleep usleep nanosleep", 2000)
{
    time_t *t = block(sizeof *t);
    struct timeval *v = block(sizeof *v);
    struct timespec *s = block(sizeof *s), *left = block(sizeof *left);
    volatile time_t now = -2;
    volatile long c = -2, d = -2;
    volatile unsigned u = 0;
    volatile int r = 0;
    reset_clocks();
    int ok = FINISHES(now = m_time(t)) && *t == now && now >= 0 && FINISHES(c = m_clock()) && c >= 0 && FINISHES(d = m_clock()) && d >= c;
    ok = ok && FINISHES(r = m_gettimeofday(v, NULL)) && r == 0 && v->tv_sec >= now && v->tv_usec >= 0 && v->tv_usec < 1000000;
    ok = ok && FINISHES(r = m_clock_gettime(0, s)) && r == 0 && s->tv_sec >= v->tv_sec && s->tv_nsec >= 0 && s->tv_nsec < 1000000000;
    ok = ok && FINISHES(r = m_clock_gettime(99, s)) && r == -1;
    s->tv_sec = 5;
    s->tv_nsec = below(3) ? 3 : -1;
    return ok && FINISHES(u = m_sleep(9)) && u <= 9 && FINISHES(m_usleep(9)) && FINISHES(r = m_nanosleep(s, left)) && (r == -1 || s->tv_nsec == 3);
}
TEST_N(localtime, "localtime localtime_r gmtime strftime", 200)
{
    time_t *t = block(sizeof *t);
    *t = 0;
    struct tm *volatile x = NULL, *volatile y = NULL, *place = block(sizeof *place);
    char *s = block(10);
    volatile size_t n = 99;
    int ok = FINISHES(x = m_localtime(t)) && (x == NULL || (x->tm_mon >= 0 && x->tm_mon < 12)) && FINISHES(y = m_gmtime(t)) && (y == NULL || y->tm_isdst == 0);
    ok = ok && FINISHES(m_localtime_r(t, place));
    ok = ok && FINISHES(n = m_strftime(s, 10, "%d", place)) && n < 10 && (n == 0 || s[n] == '\0');
    return ok && ENDING(m_strftime(s, 11, "%d", place)) == VIOLATED;
}
MODEL(gmtime_r); MODEL(asctime); MODEL(asctime_r); MODEL(ctime); MODEL(ctime_r); MODEL(mktime); MODEL(timespec_get); MODEL(wcsftime);
static time_t any_time(void) { return below(2) ? (time_t)(int32_t)random_bits() : below(2) ? (time_t)random_bits() / 1000000 : (time_t)any_number(); }
static int same_time(const struct tm *a, const struct tm *b)
{
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year &&
           a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst;
}
TEST_N(gmtime_r, "gmtime_r gmtime", 20000)
{
    time_t t = any_time();
    struct tm a, b, *x = gmtime_r(&t, &a), *y = m_gmtime_r(&t, &b), *z = m_gmtime(&t);
    return x == NULL ? y == NULL && z == NULL : y == &b && z != NULL && same_time(&a, &b) && same_time(&a, z);
}
TEST_N(asctime, "asctime asctime_r ctime ctime_r", 4000)
{
    time_t t = (time_t)(int32_t)random_bits();
    struct tm a, *x = gmtime_r(&t, &a);
    char s[26], u[26], *text = block(26), *volatile c = NULL, *volatile d = NULL;
    int ok = strcmp(asctime_r(x, s), m_asctime_r(x, text)) == 0 && strcmp(s, m_asctime(x)) == 0;
    ok = ok && FINISHES(c = m_ctime(&t)) && (c == NULL || strlen(c) == 25) && FINISHES(d = m_ctime_r(&t, u)) && (d == NULL || d == u);
    a.tm_mon = 12;
    return ok && ENDING(m_asctime(&a)) == VIOLATED;
}
TEST_N(mktime, "mktime timespec_get wcsftime", 300)
{
    reset_clocks();
    struct tm a = {0};
    struct timespec s = {0, -1};
    wchar_t *w = block(10 * sizeof *w);
    volatile time_t t = 0;
    volatile int r = 9;
    volatile size_t n = 99;
    int ok = FINISHES(t = m_mktime(&a)) && a.tm_mon >= 0 && a.tm_mon < 12 && FINISHES(r = m_timespec_get(&s, 1)) && (r == 0 || (r == 1 && s.tv_nsec >= 0)) && m_timespec_get(&s, 2) == 0;
    return ok && FINISHES(n = m_wcsftime(w, 10, L"%d", &a)) && n < 10 && (n == 0 || w[n] == 0) && ENDING(m_wcsftime(w, 11, L"%d", &a)) == VIOLATED;
}
TEST_N(getcwd, "getcwd readlink gethostname getpid getuid", 1000)
{
    size_t n = 1 + below(12);
    char *p = block(n), *volatile q = NULL;
    volatile ssize_t r = -2;
    int ok = FINISHES(q = m_getcwd(p, n)) && (q == NULL || (q == p && p[0] == '/' && memchr(p, 0, n))) && FINISHES(q = m_getcwd(NULL, n));
    free(q);
    ok = ok && FINISHES(r = m_readlink("a", p, n)) && r >= -1 && r <= (ssize_t)n && FINISHES(m_gethostname(p, n));
    volatile int a = 0, b = 0;
    ok = ok && FINISHES(a = m_getpid()) && FINISHES(b = m_getpid()) && a == b && a > 0;
    m_getuid();
    return ok && ENDING(m_getcwd(p, n + 1)) == VIOLATED && ENDING(m_readlink("a", p, n + 1)) == VIOLATED;
}
MODEL(chdir); MODEL(chmod); MODEL(chroot); MODEL(creat); MODEL(fsync); MODEL(geteuid); MODEL(getegid); MODEL(getgid); MODEL(getpeername);
MODEL(getsockname); MODEL(getppid); MODEL(getpgrp); MODEL(isatty); MODEL(link); MODEL(symlink); MODEL(rmdir);
MODEL(setuid); MODEL(seteuid); MODEL(setgid); MODEL(setegid); MODEL(setsockopt); MODEL(shutdown);
extern int m_mkdir(const char *, unsigned), m_mkfifo(const char *, unsigned), m_open64(const char *, int, ...);
void m___belay_not_poison(int);
TEST(not_poison)
{
    int poison = (int)below(2);
    return ENDING(m___belay_not_poison(poison)) == (poison ? UNSUPPORTED : FINISHED);
}
int m___belay_output_result(int);
extern const int m___belay_io_may_fail, m___belay_mixes_blocks;
TEST(output_result)
{
    int n = (int)random_bits(), r = 0;
    return m___belay_mixes_blocks && !m___belay_io_may_fail && FINISHES(r = m___belay_output_result(n)) && r == n;
}
/* Calls that say only whether they succeeded: 0 or -1 with errno set. */
#define ATTEMPT(call) (*m___errno_location() = 0, FINISHES(r = call) && (r == 0 || (r == -1 && *m___errno_location() > 0)))
TEST_N(attempts, "chdir chmod chroot fsync link symlink rmdir mkdir mkfifo set*id shutdown setsockopt", 1000)
{
    char *path = any_string(4), *value = block(4);
    volatile int r = -2;
    return ATTEMPT(m_chdir(path)) && ATTEMPT(m_chmod(path, 0)) && ATTEMPT(m_chroot(path)) && ATTEMPT(m_fsync(1)) && ATTEMPT(m_link(path, path)) &&
           ATTEMPT(m_symlink(path, path)) && ATTEMPT(m_rmdir(path)) && ATTEMPT(m_mkdir(path, 0)) && ATTEMPT(m_mkfifo(path, 0)) && ATTEMPT(m_setuid(1)) &&
           ATTEMPT(m_seteuid(1)) && ATTEMPT(m_setgid(1)) && ATTEMPT(m_setegid(1)) && ATTEMPT(m_shutdown(1, 2)) && ATTEMPT(m_setsockopt(1, 2, 3, value, 4)) &&
           ENDING(m_setsockopt(1, 2, 3, value, 5)) == VIOLATED;
}
TEST_N(numbers, "creat open64 isatty getsockname getpeername getppid getpgrp get*id gmtime_r", 300)
{
    char *path = any_string(4);
    struct sockaddr_in *a = block(sizeof *a);
    socklen_t *length = block(sizeof *length);
    time_t *t = block(sizeof *t);
    struct tm *x = block(sizeof *x), *volatile y = NULL;
    volatile int r = -2;
    *t = 0;
    int ok = FINISHES(r = m_creat(path, 0)) && r >= -1 && FINISHES(r = m_open64(path, 0)) && r >= -1 && FINISHES(r = m_isatty(0)) && (r == 0 || r == 1);
    ok = ok && FINISHES(({ *length = sizeof *a; r = m_getsockname(1, (struct sockaddr *)a, length); })) && FINISHES(({ *length = sizeof *a; r = m_getpeername(1, (struct sockaddr *)a, length); }));
    ok = ok && FINISHES(r = m_getppid()) && r >= 0 && FINISHES(r = m_getpgrp()) && r >= 0 && FINISHES(y = m_gmtime_r(t, x)) && (y == NULL || y == x);
    m_geteuid();
    m_getegid();
    m_getgid();
    return ok;
}
AGREE(htons, uint16_t x = (uint16_t)random_bits(), f(x))
AGREE(ntohs, uint16_t x = (uint16_t)random_bits(), f(x))
AGREE(htonl, uint32_t x = (uint32_t)random_bits(), f(x))
AGREE(ntohl, uint32_t x = (uint32_t)random_bits(), f(x))
AGREE(difftime, time_t a = (time_t)any_number(); time_t b = (time_t)any_number(), ({ union { double x; long long n; } u = {f(a, b)}; u.n; }))
static char *address_text(void)
{
    static const char *const parts[] = {"0", "1", "127", "255", "256", "65535", "65536", "16777216", "4294967295", "4294967296", "99999999999999999999", "0x7f", "017", "08", "0x", "a", "", "-1", " 1"};
    char text[200] = "";
    for (size_t i = 1 + below(5), k = 0; k < i; k++) {
        if (k > 0)
            strcat(text, ".");
        strcat(text, parts[below(below(3) ? 4 : sizeof parts / sizeof *parts)]);
    }
    if (below(6) == 0)
        strcat(text, below(2) ? " x" : "x");
    return copy_block(text, strlen(text) + 1);
}
AGREE(inet_addr, char *s = address_text(), f(s))
