//~ all: true
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE };

static int dense(int n) {
    switch (n) {
    case 0: return 10;
    case 1: n++; /* falls through */
    case 2: return 20 + n;
    case 3: case 4: break;
    default: return -1;
    }
    return 30;
}

static int sparse(long long n) {
    switch (n) {
    case -9223372036854775807LL - 1: return 1;
    case 4294967296LL: return 2;
    case 'a' ... 'z': return 3;
    }
    return 0;
}

static int duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    return count;
}

int main(void) {
    assert(dense(0) == 10 && dense(1) == 22 && dense(2) == 22 && dense(4) == 30 && dense(9) == -1);
    assert(sparse(-9223372036854775807LL - 1) == 1 && sparse(4294967296LL) == 2 && sparse('q') == 3 && !sparse(0));
    char out[8] = {0};
    duff(out, "abcdefg", 7);
    assert(out[6] == 'g' && out[0] == 'a');
    enum colour c = BLUE;
    switch (c) {
    case RED: assert(0);
    case BLUE: c = GREEN;
    default:;
    }
    unsigned char small = 200;
    switch (small) { case 200: c = RED; }
    assert(c == RED);
    return 0;
}
