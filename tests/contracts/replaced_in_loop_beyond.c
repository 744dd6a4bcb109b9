// As replaced_in_loop.c, where the contract of what is called lets the index leave the text, and the index is handed on as it is.
//~ options: --rules cbmc --enforce skip_words --replace skip_word
//~ unreach-call: false
typedef __SIZE_TYPE__ size_t;
_Bool skip_word(const char *text, size_t *at, size_t size)
__CPROVER_requires(size > 0 && __CPROVER_is_fresh(text, size) && __CPROVER_is_fresh(at, sizeof(*at)))
__CPROVER_assigns(*at)
__CPROVER_ensures(*at >= __CPROVER_old(*at))
__CPROVER_ensures(__CPROVER_return_value ==> *at > __CPROVER_old(*at))
;
_Bool skip_words(const char *text, size_t *at, size_t size)
__CPROVER_requires(size > 0 && __CPROVER_is_fresh(text, size) && __CPROVER_is_fresh(at, sizeof(*at)))
__CPROVER_assigns(*at)
__CPROVER_ensures(*at >= __CPROVER_old(*at) && (__CPROVER_old(*at) < size ? *at <= size : *at == __CPROVER_old(*at)))
{
    _Bool found = 0;
    size_t i = *at;
    while (i < size) {
        if (text[i] == '.') {
            found = 1;
            i++;
            break;
        }
        if (!skip_word(text, &i, size)) {
            break;
        }
    }
    *at = i;
    return found;
}
