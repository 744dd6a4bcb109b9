// As pointer_of_others.c, without following the pointer.
//~ memsafety: true
extern char **environ;
int main(void) {
    return environ != 0;
}
