// What the files of this module share.
#pragma once

#include <stddef.h>

/// Lets signals reach the calling thread and those that it will make. Programs with threads of their own often pass on to
/// what they start that some are held back, without meaning it.
void lv_unblock(const int *numbers, size_t count);

/// Ends the process from a handler or any other place: removes what is registered as temporary, writes the line, which needs
/// neither the program's name nor an end, to standard error unless nobody reads there, and exits.
_Noreturn void lv_end(const char *line, int code);
