/* Streams when the command line says what they hold (--stdin, --files): standard input and the files of a folder are byte for byte what the
 * user gave, nothing fails that need not, and what the program writes to a file it reads again. Every function here stands in for the model
 * or the built-in function of that name; a program's own definition comes before it. Functions on streams that are not here are not followed:
 * their models ask __belay_stream, which says so.
 *
 * Why a run with these is the program's: each does what C17 7.21 and glibc do where input and output succeed. Where C leaves a choice that is not
 * an input (what a stream holds after a failed read, where a file lies that was never closed), the run ends without a verdict. */
#define CHAR char
#define WIDE 0
#include "../scan.h"

#define ENOENT 2
#define EBADF 9
#define EISDIR 21

#define OURS __attribute__((weak))

enum belay_kind { BELAY_ABSENT, BELAY_FILE, BELAY_FOLDER };

/* What the command line gave, and what the program made. `bytes` has a NUL behind its end. */
struct belay_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
    int kind;
};
enum { BELAY_NEW_FILES = 64, BELAY_POOL = 1 << 22 };

/* Written by the front end: the files, room for BELAY_NEW_FILES more, standard input. */
extern struct belay_file __belay_files[];
extern int __belay_file_count;
extern const int __belay_file_room, __belay_has_files, __belay_has_stdin;
extern struct belay_file __belay_standard_input;

struct belay_fixed {
    struct belay_file *file; /* NULL for the standard outputs */
    size_t at;
    unsigned char reads, writes, appends, eof, error, closed, pushed, next, last;
};
enum { BELAY_NEITHER, BELAY_READ, BELAY_WROTE };

static struct belay_fixed standard_input = {&__belay_standard_input, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
static struct belay_fixed standard_output = {NULL, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
static struct belay_fixed standard_error = {NULL, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
OURS FILE *stdin = (FILE *)&standard_input;
OURS FILE *stdout = (FILE *)&standard_output;
OURS FILE *stderr = (FILE *)&standard_error;

int printf(const char *format, ...);
int vprintf(const char *format, va_list list);
int vsnprintf(char *to, size_t n, const char *format, va_list list);
int putchar(int c);

OURS struct belay_stream *__belay_stream(FILE *stream)
{
    (void)stream;
    __belay_unsupported("a function on streams that is not followed with --stdin or --files");
}

/* C17 7.5p3: what succeeds may set errno all the same. */
void __belay_errno_after(void);

static struct belay_fixed *state_of(FILE *stream)
{
    __belay_precondition(stream != NULL, "stream is not null");
    struct belay_fixed *state = (struct belay_fixed *)stream;
    unsigned char closed = state->closed;
    __belay_precondition(!closed, "stream is open");
    return state;
}

static _Bool is_standard(const struct belay_fixed *state)
{
    return state == &standard_input || state == &standard_output || state == &standard_error;
}

/* --- what is written: blocks of one pool, the last of which can grow ------------------------------------------------ */

static unsigned char pool[BELAY_POOL];
static size_t pool_used;

/* Makes room for the file's byte at `at`, behind everything else in the pool. A NUL stays behind the end. */
static unsigned char *room_for(struct belay_file *file, size_t at)
{
    size_t size = at < file->size ? file->size : at + 1;
    _Bool is_last = file->bytes != NULL && __belay_same_object(file->bytes, pool) && file->bytes + file->size + 1 == pool + pool_used;
    size_t start = is_last ? (size_t)(file->bytes - pool) : pool_used;
    if (size >= BELAY_POOL - start)
        __belay_unsupported("more is written to files than Belay keeps");
    if (!is_last)
        for (size_t i = 0; i < file->size; i++)
            pool[start + i] = file->bytes[i];
    file->bytes = pool + start;
    file->size = size;
    pool_used = start + size + 1;
    return pool + start;
}

static void put(struct belay_fixed *state, unsigned char byte)
{
    if (state->file == NULL) {
        putchar(byte);
        return;
    }
    if (state->last == BELAY_READ)
        __belay_unsupported("a stream is written to after it was read, without fseek");
    state->last = BELAY_WROTE;
    __belay_errno_after();
    size_t at = state->appends ? state->file->size : state->at;
    room_for(state->file, at)[at] = byte;
    state->at = at + 1;
}

/* Whether the stream takes output; else the error is noted. */
static _Bool takes(struct belay_fixed *state)
{
    if (state->writes)
        return 1;
    state->error = 1;
    errno = EBADF;
    return 0;
}

/* --- files by their names -------------------------------------------------------------------------------------------- */

static const char *skip_here(const char *path)
{
    for (;;) {
        if (path[0] == '.' && path[1] == '/')
            path += 2;
        else if (path[0] == '/')
            path++;
        else
            return path;
    }
}

static _Bool same_name(const char *path, const char *end, const char *name)
{
    for (;;) {
        if (path == end)
            return *name == '\0';
        if (*path == '/') {
            path = skip_here(path);
            if (path >= end)
                return *name == '\0';
            if (*name++ != '/')
                return 0;
        } else if (*path++ != *name++) {
            return 0;
        }
    }
}

static struct belay_file *find_until(const char *path, const char *end)
{
    for (int i = 0; i < __belay_file_count; i++)
        if (__belay_files[i].kind != BELAY_ABSENT && __belay_files[i].name != NULL && same_name(path, end, __belay_files[i].name))
            return &__belay_files[i];
    return NULL;
}

/* The path below the folder; a path that leads out of it is not followed. */
static const char *below(const char *path)
{
    if (!__belay_has_files)
        __belay_unsupported("a file is asked for by its name, and --files does not say which there are");
    if (path[0] == '/')
        __belay_unsupported("a file is named by an absolute path, which --files says nothing about");
    path = skip_here(path);
    for (const char *p = path; *p != '\0'; p++)
        if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0') && (p == path || p[-1] == '/'))
            __belay_unsupported("a path leads out of the folder of --files, or back");
    return path;
}

static struct belay_file *find(const char *path)
{
    const char *name = below(path);
    return find_until(name, name + strlen(name));
}

static struct belay_file *new_file(void)
{
    if (__belay_file_count == __belay_file_room)
        __belay_unsupported("more files are made than Belay keeps");
    struct belay_file *file = &__belay_files[__belay_file_count++];
    file->name = NULL;
    file->bytes = (const unsigned char *)"";
    file->size = 0;
    file->kind = BELAY_FILE;
    return file;
}

static struct belay_file *create(const char *path)
{
    const char *name = below(path), *parent = strrchr(name, '/');
    struct belay_file *folder = parent == NULL ? NULL : find_until(name, parent);
    if (name[0] == '\0' || (parent != NULL && (folder == NULL || folder->kind != BELAY_FOLDER))) {
        errno = ENOENT;
        return NULL;
    }
    if (parent != NULL && parent[1] == '\0')
        __belay_unsupported("a file is made whose name ends in a slash");
    size_t length = strlen(name);
    if (length >= BELAY_POOL - pool_used - 1)
        __belay_unsupported("more is written to files than Belay keeps");
    char *kept = (char *)pool + pool_used;
    size_t used = 0;
    for (const char *p = name; *p != '\0'; p = *p == '/' ? skip_here(p) : p + 1)
        kept[used++] = *p;
    kept[used] = '\0';
    pool_used += used + 1;
    struct belay_file *file = new_file();
    file->name = kept;
    return file;
}

OURS FILE *fopen(const char *path, const char *mode)
{
    strlen(mode);
    _Bool reads = mode[0] == 'r', plus = 0;
    if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a') {
        errno = EINVAL;
        return NULL;
    }
    for (const char *p = mode + 1; *p != '\0' && *p != ','; p++) {
        plus |= *p == '+';
        if (*p == 'x' || *p == 'm' || *p == 'c')
            __belay_unsupported("fopen: a mode beyond those of C99");
    }
    struct belay_file *file = find(path);
    if (file != NULL && file->kind == BELAY_FOLDER) {
        if (reads && !plus)
            __belay_unsupported("a folder is opened as a file");
        errno = EISDIR;
        return NULL;
    }
    if (file == NULL && reads) {
        errno = ENOENT;
        return NULL;
    }
    if (file == NULL && (file = create(path)) == NULL)
        return NULL;
    struct belay_fixed *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    if (mode[0] == 'w') {
        file->bytes = (const unsigned char *)"";
        file->size = 0;
    }
    state->file = file;
    state->reads = reads || plus;
    state->writes = !reads || plus;
    state->appends = mode[0] == 'a';
    __belay_errno_after();
    return (FILE *)state;
}

OURS FILE *tmpfile(void)
{
    struct belay_fixed *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->file = new_file();
    state->reads = state->writes = 1;
    return (FILE *)state;
}

OURS int fclose(FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (is_standard(state))
        state->closed = 1;
    else
        free(stream);
    __belay_errno_after();
    return 0;
}

OURS int fflush(FILE *stream)
{
    if (stream != NULL)
        (void)state_of(stream);
    __belay_errno_after();
    return 0;
}

OURS int remove(const char *path)
{
    struct belay_file *file = find(path);
    if (file == NULL) {
        errno = ENOENT;
        return -1;
    }
    if (file->kind == BELAY_FOLDER)
        __belay_unsupported("a folder is removed");
    file->kind = BELAY_ABSENT;
    return 0;
}

OURS int unlink(const char *path)
{
    return remove(path);
}

OURS int access(const char *path, int mode)
{
    struct belay_file *file = find(path);
    if (file != NULL && mode != 0)
        __belay_unsupported("access: rights are not part of --files");
    if (file == NULL)
        errno = ENOENT;
    return file == NULL ? -1 : 0;
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

/* Whether there may be something to read; else the error is noted. */
static _Bool gives(struct belay_fixed *state)
{
    if (state == &standard_input && !__belay_has_stdin)
        __belay_unsupported("standard input is read, and --stdin does not say what it holds");
    if (!state->reads) {
        state->error = 1;
        errno = EBADF;
        return 0;
    }
    if (state->last == BELAY_WROTE)
        __belay_unsupported("a stream is read after it was written to, without fseek");
    return 1;
}

static int get(struct belay_fixed *state)
{
    if (!gives(state))
        return EOF;
    if (state->pushed) {
        state->pushed = 0;
        return state->next;
    }
    if (state->eof)
        return EOF;
    if (state->at >= state->file->size) {
        state->eof = 1;
        __belay_errno_after();
        return EOF;
    }
    state->last = BELAY_READ;
    __belay_errno_after();
    return state->file->bytes[state->at++];
}

OURS int fgetc(FILE *stream)
{
    return get(state_of(stream));
}

OURS int getc(FILE *stream)
{
    return get(state_of(stream));
}

OURS int _IO_getc(FILE *stream)
{
    return get(state_of(stream));
}

OURS int getc_unlocked(FILE *stream)
{
    return get(state_of(stream));
}

OURS int fgetc_unlocked(FILE *stream)
{
    return get(state_of(stream));
}

OURS int getchar(void)
{
    return get(state_of(stdin));
}

OURS int getchar_unlocked(void)
{
    return get(state_of(stdin));
}

OURS int ungetc(int c, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (c == EOF)
        return EOF;
    if (!gives(state))
        return EOF;
    state->eof = 0;
    if (!state->pushed && state->at > 0 && state->file->bytes[state->at - 1] == (unsigned char)c) {
        state->at--;
        return (unsigned char)c;
    }
    if (state->pushed)
        __belay_unsupported("ungetc: a second byte pushed back");
    state->pushed = 1;
    state->next = (unsigned char)c;
    return (unsigned char)c;
}

OURS char *fgets(char *s, int n, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (n <= 0)
        return NULL;
    if (state->error)
        __belay_unsupported("fgets: after an error");
    int i = 0;
    while (i < n - 1) {
        int c = get(state);
        if (c == EOF)
            break;
        s[i++] = (char)c;
        if (c == '\n')
            break;
    }
    if ((i == 0 && n > 1) || state->error)
        return NULL;
    s[i] = '\0';
    return s;
}

OURS char *gets(char *s)
{
    struct belay_fixed *state = state_of(stdin);
    size_t i = 0;
    for (;;) {
        int c = get(state);
        if (c == EOF && i == 0)
            return NULL;
        if (c == EOF || c == '\n')
            break;
        s[i++] = (char)c;
    }
    s[i] = '\0';
    return s;
}

OURS size_t fread(void *p, size_t size, size_t count, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (size == 0 || count == 0)
        return 0;
    unsigned char *to = p;
    size_t read = 0, all = count <= SIZE_MAX / size ? count * size : SIZE_MAX;
    while (read < all) {
        int c = get(state);
        if (c == EOF)
            break;
        to[read++] = (unsigned char)c;
    }
    return read == all && count <= SIZE_MAX / size ? count : read / size;
}

OURS int feof(FILE *stream)
{
    return state_of(stream)->eof;
}

OURS int ferror(FILE *stream)
{
    return state_of(stream)->error;
}

OURS void clearerr(FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    state->eof = state->error = 0;
}

/* --- where a stream is ------------------------------------------------------------------------------------------------ */

static struct belay_fixed *sought(FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (state->file == NULL)
        __belay_unsupported("where a standard output is, is not known");
    if (state == &standard_input && !__belay_has_stdin)
        __belay_unsupported("standard input is read, and --stdin does not say what it holds");
    return state;
}

OURS int fseek(FILE *stream, long offset, int whence)
{
    struct belay_fixed *state = sought(stream);
    if (state->pushed && whence == 1)
        __belay_unsupported("fseek: from a byte that was pushed back");
    long base = whence == 0 ? 0 : whence == 1 ? (long)state->at : (long)state->file->size;
    if (whence < 0 || whence > 2 || offset < -base || offset > LONG_MAX - base) {
        errno = EINVAL;
        return -1;
    }
    state->at = (size_t)(base + offset);
    if (state->at > state->file->size && state->writes)
        __belay_unsupported("fseek: behind the end of a file that is written");
    state->eof = state->pushed = 0;
    state->last = BELAY_NEITHER;
    return 0;
}

OURS int fseeko(FILE *stream, off_t offset, int whence)
{
    return fseek(stream, offset, whence);
}

OURS long ftell(FILE *stream)
{
    struct belay_fixed *state = sought(stream);
    if (state->pushed)
        __belay_unsupported("ftell: after another byte was pushed back than there was");
    if (state->appends && state->last != BELAY_WROTE)
        __belay_unsupported("ftell: of a file that is appended to, before anything was written");
    return (long)state->at;
}

OURS off_t ftello(FILE *stream)
{
    return ftell(stream);
}

OURS void rewind(FILE *stream)
{
    fseek(stream, 0, 0);
    state_of(stream)->error = 0;
}

OURS int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    (void)state_of(stream);
    if (mode != 2 && buffer != NULL) {
        __belay_precondition(belay_region(buffer, size), "setvbuf: buffer has size bytes");
        belay_lends_buffer();
    }
    return mode < 0 || mode > 2 ? -1 : 0;
}

OURS void setbuf(FILE *stream, char *buffer)
{
    (void)state_of(stream);
    if (buffer != NULL) {
        __belay_precondition(belay_region(buffer, 8192), "setbuf: buffer has BUFSIZ bytes");
        belay_lends_buffer();
    }
}

OURS int fileno(FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (state == &standard_input)
        return 0;
    if (state == &standard_output)
        return 1;
    if (state == &standard_error)
        return 2;
    __belay_unsupported("fileno: of a file that was opened");
}

/* --- lines ------------------------------------------------------------------------------------------------------------- */

OURS ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    size_t used = 0;
    if (*line == NULL || *size == 0) {
        char *block = realloc(*line, 120);
        if (block == NULL)
            return -1;
        *line = block;
        *size = 120;
    }
    for (;;) {
        int c = get(state);
        if (c == EOF && used == 0)
            return -1;
        if (c == EOF)
            break;
        if (used + 1 >= *size) {
            char *block = *size <= SIZE_MAX / 2 ? realloc(*line, 2 * *size) : NULL;
            if (block == NULL)
                return -1;
            *line = block;
            *size *= 2;
        }
        (*line)[used++] = (char)c;
        if (c == delimiter)
            break;
    }
    (*line)[used] = '\0';
    return (ssize_t)used;
}

OURS ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    return getdelim(line, size, delimiter, stream);
}

OURS ssize_t getline(char **line, size_t *size, FILE *stream)
{
    return getdelim(line, size, '\n', stream);
}

/* --- scanf ------------------------------------------------------------------------------------------------------------- */

/* One directive; whether it stopped before an end that it may not have looked at. */
static enum belay_outcome scan_directive(struct belay_scan *s, const char **format, va_list *args, _Bool *looked)
{
    const char *f = *format;
    *looked = 0;
    if (belay_is_space(*f)) {
        belay_scan_space(s);
        *looked = 1;
        *format = f + 1;
        return BELAY_MATCHED;
    }
    if (*f != '%') {
        *format = f + 1;
        if (*s->at == '\0')
            return BELAY_ENDED;
        if (*s->at != *f)
            return BELAY_MISMATCH;
        s->at++;
        return BELAY_MATCHED;
    }
    struct belay_conversion c;
    *format = belay_scan_conversion(f + 1, &c);
    if (c.kind != '[' && c.kind != 'c' && c.kind != 'C' && c.kind != 'n')
        belay_scan_space(s);
    enum belay_outcome outcome = belay_scan_one(s, &c, args);
    *looked = c.kind != 'c' && c.kind != 'C' && c.kind != 'n' && c.kind != '%';
    if (*looked && c.width != INT_MAX && *s->at == '\0' && outcome == BELAY_MATCHED)
        __belay_unsupported("scanf: a conversion with a width ends where the input does");
    return outcome;
}

OURS int vfscanf(FILE *stream, const char *format, va_list list)
{
    struct belay_fixed *state = state_of(stream);
    if (!gives(state))
        return EOF;
    if (state->pushed)
        __belay_unsupported("scanf: after another byte was pushed back than there was");
    const char *rest = (const char *)state->file->bytes + (state->at < state->file->size ? state->at : state->file->size);
    if (state->at < state->file->size && strlen(rest) != state->file->size - state->at)
        __belay_unsupported("scanf: the input holds a NUL");
    struct belay_scan s = {rest, rest, 0};
    va_list args;
    va_copy(args, list);
    enum belay_outcome outcome = BELAY_MATCHED;
    _Bool looked = 0;
    while (*format != '\0' && outcome == BELAY_MATCHED) {
        outcome = scan_directive(&s, &format, &args, &looked);
        if (*s.at == '\0' && (looked || outcome == BELAY_ENDED))
            state->eof = 1;
    }
    va_end(args);
    state->at += (size_t)(s.at - s.start);
    state->last = BELAY_READ;
    return outcome == BELAY_ENDED && s.done == 0 ? EOF : s.done;
}

#define SCANS_OF(scan, fscan, vscan, vfscan_name)                                                                                     \
    OURS int scan(const char *format, ...)                                                                                            \
    {                                                                                                                                 \
        va_list args;                                                                                                                 \
        va_start(args, format);                                                                                                       \
        int n = vfscanf(stdin, format, args);                                                                                         \
        va_end(args);                                                                                                                 \
        return n;                                                                                                                     \
    }                                                                                                                                 \
    OURS int fscan(FILE *stream, const char *format, ...)                                                                             \
    {                                                                                                                                 \
        va_list args;                                                                                                                 \
        va_start(args, format);                                                                                                       \
        int n = vfscanf(stream, format, args);                                                                                        \
        va_end(args);                                                                                                                 \
        return n;                                                                                                                     \
    }                                                                                                                                 \
    OURS int vscan(const char *format, va_list args)                                                                                  \
    {                                                                                                                                 \
        return vfscanf(stdin, format, args);                                                                                          \
    }                                                                                                                                 \
    vfscan_name

#define VFSCAN(name)                                                                                                                  \
    OURS int name(FILE *stream, const char *format, va_list args)                                                                     \
    {                                                                                                                                 \
        return vfscanf(stream, format, args);                                                                                         \
    }

SCANS_OF(scanf, fscanf, vscanf, )
SCANS_OF(__isoc99_scanf, __isoc99_fscanf, __isoc99_vscanf, VFSCAN(__isoc99_vfscanf))
SCANS_OF(__isoc23_scanf, __isoc23_fscanf, __isoc23_vscanf, VFSCAN(__isoc23_vfscanf))

/* --- writing ----------------------------------------------------------------------------------------------------------- */

OURS int fputc(int c, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (!takes(state))
        return EOF;
    put(state, (unsigned char)c);
    return (unsigned char)c;
}

OURS int putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

OURS int _IO_putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

OURS int fputc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}

OURS int putc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}

OURS int fputs(const char *s, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    size_t length = strlen(s);
    if (!takes(state))
        return EOF;
    if (state->file == NULL)
        printf("%s", s);
    else
        for (size_t i = 0; i < length; i++)
            put(state, (unsigned char)s[i]);
    return 1;
}

OURS int fputs_unlocked(const char *s, FILE *stream)
{
    return fputs(s, stream);
}

OURS size_t fwrite(const void *p, size_t size, size_t count, FILE *stream)
{
    struct belay_fixed *state = state_of(stream);
    if (size == 0 || count == 0)
        return 0;
    __belay_precondition(count <= SIZE_MAX / size && belay_region(p, count * size), "fwrite: buffer has count elements");
    if (!takes(state))
        return 0;
    for (size_t i = 0; i < count * size; i++)
        put(state, ((const unsigned char *)p)[i]);
    return count;
}

OURS int vfprintf(FILE *stream, const char *format, va_list list)
{
    struct belay_fixed *state = state_of(stream);
    if (state->file == NULL)
        return vprintf(format, list);
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length >= 0 && takes(state)) {
        char *text = malloc((size_t)length + 1);
        if (text == NULL)
            __belay_unsupported("fprintf: no memory");
        vsnprintf(text, (size_t)length + 1, format, again);
        for (int i = 0; i < length; i++)
            put(state, (unsigned char)text[i]);
        free(text);
    } else {
        length = -1;
    }
    va_end(again);
    return length;
}

OURS int fprintf(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

/* --- what would change the files or share their bytes by other ways ------------------------------------------------------ */

#define NOT_FOLLOWED(result, name, params)                                                                                            \
    OURS result name params                                                                                                           \
    {                                                                                                                                 \
        __belay_unsupported(#name " is not followed with --stdin or --files");                                                        \
    }
#pragma clang diagnostic ignored "-Wunused-parameter"

NOT_FOLLOWED(ssize_t, read, (int fd, void *buffer, size_t n))
NOT_FOLLOWED(int, open, (const char *path, int flags, ...))
NOT_FOLLOWED(int, open64, (const char *path, int flags, ...))
NOT_FOLLOWED(int, creat, (const char *path, mode_t mode))
NOT_FOLLOWED(off_t, lseek, (int fd, off_t offset, int whence))
NOT_FOLLOWED(int, dup2, (int from, int to))
NOT_FOLLOWED(int, rename, (const char *from, const char *to))
NOT_FOLLOWED(int, mkdir, (const char *path, mode_t mode))
NOT_FOLLOWED(int, rmdir, (const char *path))
NOT_FOLLOWED(int, link, (const char *from, const char *to))
NOT_FOLLOWED(int, symlink, (const char *from, const char *to))
NOT_FOLLOWED(ssize_t, readlink, (const char *path, char *buffer, size_t size))
NOT_FOLLOWED(int, mkfifo, (const char *path, mode_t mode))
NOT_FOLLOWED(int, chdir, (const char *path))
NOT_FOLLOWED(int, chroot, (const char *path))
NOT_FOLLOWED(int, mkstemp, (char *template))
NOT_FOLLOWED(FILE *, popen, (const char *command, const char *mode))
NOT_FOLLOWED(FILE *, freopen, (const char *path, const char *mode, FILE *stream))
NOT_FOLLOWED(FILE *, fdopen, (int fd, const char *mode))
NOT_FOLLOWED(int, system, (const char *command))
