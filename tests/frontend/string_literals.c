//~ all: true
#include <assert.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    const char *s = "tab\there\x41\101\0hidden";
    assert(s[3] == '\t' && s[8] == 'A' && s[9] == 'A' && s[10] == 0 && s[11] == 'h');
    assert(sizeof "abc" == 4 && "abc"[1] == 'b' && *("xyz" + 2) == 'z');
    const wchar_t *w = L"wide";
    assert(w[0] == L'w' && w[4] == 0 && sizeof(wchar_t) == 4);
    assert(strcmp("con" "cat", "concat") == 0 && u8"é"[0] == (char)0xc3);
    char copy[] = "mutable";
    copy[0] = 'M';
    assert(strcmp(copy, "Mutable") == 0);
    assert(strcmp(__func__, "main") == 0);
    return 0;
}
