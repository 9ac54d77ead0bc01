// How the program ends when somebody or something else wants it to. For the program alone: a library must not decide that.
#pragma once

#include <stdbool.h>

/// Says what the program is called, for the lines with which it ends. To be called once, before all others; what is beyond
/// 255 bytes is left out.
void lv_endings_set_name(const char *name);

/// Takes SIGINT, SIGTERM and SIGHUP for a wish to end, unless whoever started the program wanted them ignored. The program
/// ends at once: what is registered as temporary is removed, a line is written to standard error, the exit code is 130.
void lv_endings_listen(void);

/// From now on the program ends in its own order when `lv_ending_is_wanted`. If that takes longer than two seconds, or
/// another signal comes after one, it ends as it would otherwise.
void lv_endings_be_patient(void);

/// Whether a signal asked for the end.
bool lv_ending_is_wanted(void);

/// Says that the user has been told why the program ends.
void lv_ending_was_told(void);

/// From now on crashes, and threads that a library wants and does not get, end the program with a line and exit code 70,
/// with what is registered as temporary removed.
void lv_endings_catch_crashes(void);
