// Fig. 1 of "2LS for program analysis", with the strings that its parameters mean.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(int);

#define LONGEST 4096

static char uri_text[LONGEST], authority_text[LONGEST];

static void copy_authority(char *uri, int uri_length, int authority_start, char *authority) {
    __CPROVER_assume(0 < uri_length);
    __CPROVER_assume(0 < authority_start && authority_start < uri_length);
    int cp = authority_start;
    while (cp != uri_length - 1) {
        if (uri[cp] == '/')
            break;
        assert(cp < uri_length);
        authority[cp - authority_start] = uri[cp];
        ++cp;
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    __CPROVER_assume(length <= LONGEST);
    copy_authority(uri_text, length, __VERIFIER_nondet_int(), authority_text);
    return 0;
}
