//~ unreach-call: false
// A call that fails brings no address: the length is what it was.
#include <assert.h>
#include <sys/socket.h>

int main(void) {
    char buffer[200];
    socklen_t length = 200;
    int fd = accept(3, (struct sockaddr *)buffer, &length);
    assert(length <= 128);
    return fd;
}
