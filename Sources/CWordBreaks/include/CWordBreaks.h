// The word breaks of ICU. Swift must not see ICU's own headers: Foundation has a copy of them,
// whose types differ.
#pragma once

#include <stdint.h>

/// Writes where the words of a UTF-16 text end, by ICU's rules and dictionary for Chinese. Between
/// words, each run of spaces or punctuation counts as a word.
///
/// - Parameter ends: room for `length` positions.
/// - Returns: the number of positions; 0 if ICU fails.
int32_t lv_word_ends(const uint16_t *text, int32_t length, int32_t *ends);
