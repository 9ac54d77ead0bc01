#define _GNU_SOURCE
#include "CTermination.h"

#include "CSystem.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// The time in seconds for an orderly end, after which the process exits even if a library is
/// busy.
static const unsigned grace_seconds = 2;

static atomic_bool is_requested, is_deferred, was_reported, ignores_alarms;
static atomic_flag is_ending = ATOMIC_FLAG_INIT;
/// Written before handlers are installed and threads start.
static char program_name[256] = "program";
/// The time of the first signal in nanoseconds; 0 if there was none.
static atomic_llong first_signal;

static atomic_int error_descriptor = STDERR_FILENO;

int lv_error_descriptor(void) { return atomic_load(&error_descriptor); }

void lv_set_error_descriptor(int descriptor) { atomic_store(&error_descriptor, descriptor); }

void lv_termination_set_name(const char *name) {
    program_name[0] = 0;
    strncat(program_name, name, sizeof program_name - 1);
}

// Everything below may run in a signal handler, at any time and on any thread. It only calls
// functions that POSIX allows there, and takes no locks.

_Noreturn void lv_terminate(const char *line, int code) {
    // A handler that interrupted this function would wait forever for the thread that it
    // interrupted.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    // If two threads get here, the second waits for the end.
    if (atomic_flag_test_and_set(&is_ending)) for (;;) pause();
    lv_temporaries_remove();
    int target = lv_error_descriptor();
    struct pollfd state = {.fd = target, .events = POLLOUT};
    if (!atomic_load(&was_reported) && poll(&state, 1, 100) > 0) {
        char text[768] = "";
        // There may be a progress bar in the current line.
        if (isatty(target)) strcpy(text, "\r\033[K");
        strcat(text, program_name);
        strcat(text, ": ");
        strncat(text, line, sizeof text - strlen(text) - 2);
        strcat(text, "\n");
        if (write(target, text, strlen(text)) < 0) {}
    }
    _exit(code);
}

static _Noreturn void interrupt(void) { lv_terminate("interrupted before the output was complete", 130); }

static void on_signal(int number) {
    (void)number;
    int saved = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long nanoseconds = now.tv_sec * 1000000000LL + now.tv_nsec;
    // Two handlers may run at once. The one that stores its time is the first.
    long long earlier = 0;
    if (atomic_compare_exchange_strong(&first_signal, &earlier, nanoseconds)) {
        atomic_store(&is_requested, true);
        if (!atomic_load(&is_deferred)) interrupt();
        alarm(grace_seconds);
    } else if (nanoseconds - earlier > 1000000000LL) {
        // One Ctrl-C may arrive twice, from the terminal and from a parent process that forwards
        // it, but within a second.
        interrupt();
    }
    errno = saved;
}

static void on_alarm(int number) {
    if (atomic_load(&is_requested)) interrupt();
    // The alarm was set before this program was executed. It counts as a request like other
    // signals.
    if (!atomic_load(&ignores_alarms)) on_signal(number);
}

void lv_termination_listen(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART}, inherited;
    sigfillset(&action.sa_mask);
    // The program's own alarm must be handled in any case.
    atomic_store(&ignores_alarms, sigaction(SIGALRM, NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN);
    sigaction(SIGALRM, &action, NULL);
    lv_termination_unblock(&(int){SIGALRM}, 1);
    action.sa_handler = on_signal;
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        // nohup, and shells that start background jobs, want the signal to be ignored.
        if (sigaction(numbers[index], NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
        sigaction(numbers[index], &action, NULL);
        lv_termination_unblock(&numbers[index], 1);
    }
}

void lv_termination_unblock(const int *numbers, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) sigaddset(&set, numbers[index]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void lv_termination_defer(void) { atomic_store(&is_deferred, true); }

bool lv_termination_is_requested(void) { return atomic_load(&is_requested); }

void lv_ending_was_reported(void) { atomic_store(&was_reported, true); }

int lv_flush_output(void) {
    static atomic_int first_error = 0;
    if (fflush(stdout) != 0) {
        int none = 0;
        atomic_compare_exchange_strong(&first_error, &none, errno);
    }
    if (!ferror(stdout)) return 0;
    if (atomic_load(&first_error) != 0) return atomic_load(&first_error);
    // The error number of the write is lost. A pipe without a reader still has that error.
    struct pollfd state = {.fd = STDOUT_FILENO, .events = POLLOUT};
    bool is_closed = poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
    return is_closed ? EPIPE : EIO;
}
