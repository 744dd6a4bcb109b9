// The second target is found before the first is written.
//~ options: --replace touch
//~ memsafety: true
//~ unreach-call: true
void __CPROVER_assert(int, const char *);
struct buffer { unsigned n; char *bytes; };
void touch(struct buffer *b)
__CPROVER_requires(__CPROVER_w_ok(b, sizeof(*b)) && __CPROVER_w_ok(b->bytes, b->n))
__CPROVER_assigns(b->n, __CPROVER_object_upto(b->bytes, b->n))
__CPROVER_ensures(b->n <= __CPROVER_old(b->n))
;
int main(void)
{
    char bytes[2] = {1, 2};
    struct buffer b = {2, bytes};
    touch(&b);
    unsigned sum = 0;
    for (unsigned i = 0; i < b.n; i++) sum += (unsigned char)bytes[i];
    __CPROVER_assert(sum <= 510, "the bytes have any value");
    return 0;
}

