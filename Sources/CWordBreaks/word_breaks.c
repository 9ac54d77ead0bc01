#include "CWordBreaks.h"

#include <unicode/ubrk.h>

int32_t lv_word_ends(const uint16_t *text, int32_t length, int32_t *ends)
{
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *words = ubrk_open(UBRK_WORD, "zh", (const UChar *)text, length, &status);
    if (U_FAILURE(status) || !words) return 0;
    int32_t count = 0;
    for (int32_t end = ubrk_next(words); end != UBRK_DONE && count < length; end = ubrk_next(words)) {
        ends[count++] = end;
    }
    ubrk_close(words);
    return count;
}
