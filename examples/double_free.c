#include <stdlib.h>
#include <string.h>

struct session {
    char *user;
    char *token;
};

static void log_out(struct session *s) {
    free(s->token);
    free(s->user);
}

int main(void) {
    struct session s;
    s.user = malloc(6);
    strcpy(s.user, "alice");
    s.token = s.user;
    log_out(&s);
    return 0;
}
