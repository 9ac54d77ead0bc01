#define _GNU_SOURCE
#include "CEndings.h"

#include "CSystem.h"
#include "endings.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Within three seconds nothing is left of the program, whatever a library is doing.
static const unsigned patience_seconds = 2;

static atomic_bool is_wanted, is_patient, was_told, ignores_alarms;
static atomic_flag is_ending = ATOMIC_FLAG_INIT;
/// Written before there are handlers and threads.
static char program_name[256] = "program";
/// When the first signal came, in nanoseconds; 0 as long as none has.
static atomic_llong first_signal;

void lv_endings_set_name(const char *name) {
    program_name[0] = 0;
    strncat(program_name, name, sizeof program_name - 1);
}

// Everything below may run in a signal's handler, at any instant of any thread: it calls what POSIX allows there, and takes
// no locks.

_Noreturn void lv_end(const char *line, int code) {
    // A handler that came in between would wait here for the thread that it interrupts, for ever.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    // Two threads may get here; one is enough.
    if (atomic_flag_test_and_set(&is_ending)) for (;;) pause();
    lv_temporaries_remove();
    struct pollfd state = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (!atomic_load(&was_told) && poll(&state, 1, 100) > 0) {
        char text[768] = "";
        // A progress bar may be in that line.
        if (isatty(STDERR_FILENO)) strcpy(text, "\r\033[K");
        strcat(text, program_name);
        strcat(text, ": ");
        strncat(text, line, sizeof text - strlen(text) - 2);
        strcat(text, "\n");
        if (write(STDERR_FILENO, text, strlen(text)) < 0) {}
    }
    _exit(code);
}

static _Noreturn void interrupt(void) { lv_end("interrupted before everything was done", 130); }

static void on_signal(int number) {
    (void)number;
    int saved = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long nanoseconds = now.tv_sec * 1000000000LL + now.tv_nsec;
    // Two handlers may be here at once: whose time is kept is the first.
    long long earlier = 0;
    if (atomic_compare_exchange_strong(&first_signal, &earlier, nanoseconds)) {
        atomic_store(&is_wanted, true);
        if (!atomic_load(&is_patient)) interrupt();
        alarm(patience_seconds);
    } else if (nanoseconds - earlier > 1000000000LL) {
        // One Ctrl-C may arrive twice, from the terminal and from a parent that passes it on: not within a second.
        interrupt();
    }
    errno = saved;
}

static void on_alarm(int number) {
    if (atomic_load(&is_wanted)) interrupt();
    // Not ours: somebody set it and then became this program, which is a wish like the others.
    if (!atomic_load(&ignores_alarms)) on_signal(number);
}

void lv_endings_listen(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART}, inherited;
    sigfillset(&action.sa_mask);
    // Our own alarm must come in any case.
    atomic_store(&ignores_alarms, sigaction(SIGALRM, NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN);
    sigaction(SIGALRM, &action, NULL);
    lv_unblock(&(int){SIGALRM}, 1);
    action.sa_handler = on_signal;
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        // nohup and shells that start jobs behind want the signal ignored.
        if (sigaction(numbers[index], NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
        sigaction(numbers[index], &action, NULL);
        lv_unblock(&numbers[index], 1);
    }
}

void lv_unblock(const int *numbers, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) sigaddset(&set, numbers[index]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void lv_endings_be_patient(void) { atomic_store(&is_patient, true); }

bool lv_ending_is_wanted(void) { return atomic_load(&is_wanted); }

void lv_ending_was_told(void) { atomic_store(&was_told, true); }
