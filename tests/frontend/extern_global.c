//~ memsafety: true
//~ termination: true
/* Declared, defined nowhere: its content is arbitrary. */
extern int configuration;

int main(void) {
    configuration = 3;
    return configuration - 3;
}
