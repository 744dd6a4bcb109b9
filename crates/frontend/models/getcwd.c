/* POSIX: a path of at most size - 1 bytes and a NUL, or NULL with errno set. buffer has `size` bytes. A null buffer (GNU: a new
 * block) gives a heap block, of 4096 bytes if size is 0. */
#include "belay.h"

char *getcwd(char *buffer, size_t size)
{
    size_t room = buffer == NULL && size == 0 ? 4096 : size;
    if (buffer != NULL)
        __belay_precondition(belay_region(buffer, size), "getcwd: buffer has size bytes");
    if (room < 2 || __VERIFIER_nondet_bool()) {
        belay_failure();
        return NULL;
    }
    if (buffer == NULL && (buffer = malloc(room)) == NULL)
        return NULL;
    size_t length = belay_size_at_most(room - 1);
    __VERIFIER_assume(length >= 1);
    buffer[0] = '/';
    for (size_t i = 1; i < length; i++) {
        buffer[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(buffer[i] != '\0');
    }
    buffer[length] = '\0';
    return buffer;
}
