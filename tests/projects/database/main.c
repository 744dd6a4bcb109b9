int items[ROOM];
void fill(void);

int main(void) {
    fill();
    return items[0];
}
