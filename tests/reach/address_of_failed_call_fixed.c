//~ unreach-call: true
#include <assert.h>
#include <sys/socket.h>

int main(void) {
    char buffer[200];
    socklen_t length = 200;
    int fd = accept(3, (struct sockaddr *)buffer, &length);
    if (fd != -1)
        assert(length <= 128);
    return fd;
}
