//~ memsafety: true
void __CPROVER_havoc_object(void *);
int table[4];

int main(void) {
    unsigned at[2] = {0, 0};
    __CPROVER_havoc_object(&at[1]);
    return at[0] < 4 ? table[at[0]] : 0;
}
