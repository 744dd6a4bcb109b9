// A variable that no file of the program defines may lead to what may be read: `environ` does.
extern char **environ;
int main(void) {
    return environ[0] != 0; //~ unknown(memsafety)
}
