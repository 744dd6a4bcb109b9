//~ all: true
#include <assert.h>
#include <string.h>

struct date {
    unsigned day : 5, month : 4;
    int offset : 5;
    unsigned long long year : 40;
    unsigned : 0;
    unsigned char last : 3;
};

static struct date next(struct date d) {
    d.day++;
    return d;
}

int main(void) {
    struct date d;
    memset(&d, 0, sizeof d);
    d.day = 31;
    d.month = 12;
    d.offset = -13;
    d.year = 0x123456789aull;
    d.last = 7;
    assert(d.day == 31 && d.month == 12 && d.offset == -13 && d.year == 0x123456789aull && d.last == 7);
    d = next(d);
    assert(d.day == 0 && d.month == 12);
    d.offset = 15;
    d.offset++;
    assert(d.offset == -16);
    struct date *p = &d;
    p->month ^= 0xf;
    p->year += 0xffffffffffull;
    assert(d.month == 3 && d.year == 0x1234567899ull);
    return 0;
}
