//~ options: --externs refuse
//~ memsafety: unknown(work)
extern int work(void);

int main(void) {
    return work();
}
