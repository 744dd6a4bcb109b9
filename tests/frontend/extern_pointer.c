/* What it returns could point anywhere. */
extern int *table(void);

int main(void) {
    int *p = table(); //~ unknown(memsafety)
    return *p;
}
