//~ all: true
#include <assert.h>

static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

int main(void) {
    int total = 0;
    for (int n = 1; n <= 4; n++) {
        int m[n][n];
        assert(sizeof m == sizeof(int) * n * n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                m[i][j] = i * n + j;
        total += trace(n, m);
        int(*row)[n] = &m[n - 1];
        assert((*row)[n - 1] == n * n - 1);
    }
    assert(total == 0 + 3 + 12 + 30);
    return 0;
}
