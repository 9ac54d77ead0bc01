// The word breaks of ICU as Swift imports them. ICU's names are macros that add its version.
#pragma once

#include <unicode/ubrk.h>

static inline UBreakIterator *loadervid_open_word_breaks(
    const char *locale, const UChar *text, int32_t length, UErrorCode *status)
{
    return ubrk_open(UBRK_WORD, locale, text, length, status);
}

static inline int32_t loadervid_next_break(UBreakIterator *breaks) { return ubrk_next(breaks); }

static inline void loadervid_close_breaks(UBreakIterator *breaks) { ubrk_close(breaks); }
