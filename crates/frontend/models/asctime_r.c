/* POSIX: exact, for fields in their ranges and years of four digits, which C demands. text has 26 bytes. */
#include "belay.h"

char *asctime_r(const struct tm *t, char *text)
{
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    __belay_precondition(t->tm_wday >= 0 && t->tm_wday <= 6 && t->tm_mon >= 0 && t->tm_mon <= 11 && t->tm_mday >= 1 && t->tm_mday <= 31 &&
                             t->tm_hour >= 0 && t->tm_hour <= 23 && t->tm_min >= 0 && t->tm_min <= 59 && t->tm_sec >= 0 && t->tm_sec <= 60 &&
                             t->tm_year >= 1000 - 1900 && t->tm_year <= 9999 - 1900,
                         "asctime: fields are in their ranges");
    int numbers[] = {t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec};
    for (int i = 0; i < 3; i++) {
        text[i] = days[3 * t->tm_wday + i];
        text[4 + i] = months[3 * t->tm_mon + i];
    }
    text[3] = text[7] = text[10] = text[19] = ' ';
    text[13] = text[16] = ':';
    for (int i = 0; i < 4; i++) {
        text[8 + 3 * i] = (char)('0' + numbers[i] / 10);
        text[9 + 3 * i] = (char)('0' + numbers[i] % 10);
    }
    if (text[8] == '0')
        text[8] = ' ';
    int year = t->tm_year + 1900;
    for (int i = 3; i >= 0; i--, year /= 10)
        text[20 + i] = (char)('0' + year % 10);
    text[24] = '\n';
    text[25] = '\0';
    return text;
}
