// Whether what is returned may be null is not known: no violation rests on it.
struct device { int state; };
extern struct device *device_open(int number);

int main(void) {
    struct device *d = device_open(1); //~ unknown(valid-deref)
    return d->state;
}
