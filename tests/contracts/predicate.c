//~ options: --enforce last
//~ memsafety: true
//~ unreach-call: true
// Predicates of the project's own say what pointers lead to.
#include <stdbool.h>
#include <stddef.h>

bool is_buffer(const char *buf, size_t max)
{
    return (0U < max) & (__CPROVER_is_fresh(buf, max));
}

bool is_cursor(const char *buf, size_t max, size_t *start)
{
    return is_buffer(buf, max) & (start == NULL || __CPROVER_is_fresh(start, sizeof(*start)));
}

char last(const char *buf, size_t *start, size_t max)
__CPROVER_requires(is_cursor(buf, max, start))
__CPROVER_assigns(start != NULL : *start)
__CPROVER_ensures(start != NULL ==> *start < max)
{
    if (start != NULL)
        *start = max - 1;
    return buf[max - 1];
}
