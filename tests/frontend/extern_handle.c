//~ memsafety: true
//~ termination: true
// What other files hand out may be kept, compared and given back to them.
struct device;
extern struct device *device_open(const char *name, int mode);
extern int device_read(struct device *d, unsigned char *into, unsigned count);
extern void device_close(struct device *d);
static struct device *shared;

int main(void) {
    unsigned char buffer[16];
    struct device *d = device_open("serial", 3);
    if (!d) return 1;
    shared = d;
    int n = device_read(shared, buffer, sizeof buffer);
    int r = n > 3 ? buffer[3] : 0;
    device_close(d);
    return r;
}
