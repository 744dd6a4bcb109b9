// What the index is not less than stands in the caller's memory and in no register of the loop.
//~ options: --rules cbmc --enforce skip_blanks
//~ all: true
typedef __SIZE_TYPE__ size_t;
void skip_blanks(const char *text, size_t *at, size_t size)
__CPROVER_requires(size > 0 && __CPROVER_is_fresh(text, size) && __CPROVER_is_fresh(at, sizeof(*at)))
__CPROVER_assigns(*at)
__CPROVER_ensures(*at >= __CPROVER_old(*at) && (__CPROVER_old(*at) < size ? *at <= size : *at == __CPROVER_old(*at)))
{
    size_t i;
    for (i = *at; i < size; i++) {
        if (text[i] != ' ') {
            break;
        }
    }
    *at = i;
}
