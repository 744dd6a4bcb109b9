// A struct with a volatile member is copied, also where the copy is a variable's first value or an argument.
struct device {
    volatile int status;
    int more[20];
};
static struct device device;
static int status_of(struct device copy) { return copy.status; }

int main(void) {
    device.status = 3;
    return status_of(device); //~ unknown(valid-deref)
}
