// Which object may be read is not said: refused, not assumed away.
//~ options: --enforce first
int first(const int *p)
__CPROVER_requires(__CPROVER_r_ok(p, sizeof(*p))) //~ unknown(memsafety)
{
    return *p;
}
