// Early ends of the program, by signals and crashes. Only for the program: a library must not
// decide how it ends.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Sets the program's name for messages; what exceeds 255 bytes is dropped. Must be called once,
/// before all other functions.
void lv_termination_set_name(const char *name);

/// Handles SIGINT, SIGTERM and SIGHUP, except those that the parent process set to be ignored. They
/// end the program at once: registered temporary files are removed, a line is written to standard
/// error, and the exit code is 130.
void lv_termination_listen(void);

/// Lets the program end in an orderly way once `lv_termination_is_requested`. If that takes longer
/// than two seconds, or another signal arrives a second or more after the first, the program ends
/// at once.
void lv_termination_defer(void);

/// Returns true if a signal has requested the end.
bool lv_termination_is_requested(void);

/// Records that the user knows why the program ends, so that no line is written.
void lv_ending_was_reported(void);

/// Returns the descriptor for the program's own messages on standard error.
int lv_error_descriptor(void);

/// Sets the descriptor for the program's own messages, initially 2.
void lv_set_error_descriptor(int descriptor);

/// Unblocks signals for the calling thread and the threads that it creates. Multithreaded programs
/// often leave some signals blocked in the processes that they start, unintentionally.
void lv_termination_unblock(const int *numbers, size_t count);

/// Ends the process, also from a signal handler: removes registered temporary files, writes `line`
/// to standard error if it can be written, and exits with `code`. The line needs neither the
/// program's name nor a newline.
_Noreturn void lv_terminate(const char *line, int code);

/// Writes what the C library has buffered for standard output. Returns 0, or the number of an
/// error, also of an earlier write, which `fflush` does not report.
int lv_flush_output(void);
