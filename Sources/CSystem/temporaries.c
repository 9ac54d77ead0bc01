#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file identified by the descriptor of its directory and its name. A path could lead elsewhere by
// the time it is used.
struct location {
    int directory;
    char name[];
};

// A list that only grows and reuses its entries, so readers need no lock. The code that removes a
// location from its entry owns it. Once the process is ending, locations are never freed, since
// they may be read.
struct lv_temporary {
    _Atomic(struct location *) location;
    lv_temporary *next;
};

static _Atomic(lv_temporary *) first;
/// The number of files being created at the moment.
static atomic_int creating;
static atomic_bool is_ending;

lv_temporary *lv_temporary_add(int directory, const char *name) {
    size_t size = strlen(name) + 1;
    struct location *location = malloc(sizeof *location + size);
    if (!location) return NULL;
    location->directory = directory;
    memcpy(location->name, name, size);
    for (lv_temporary *entry = atomic_load(&first); entry; entry = entry->next) {
        struct location *none = NULL;
        if (atomic_compare_exchange_strong(&entry->location, &none, location)) return entry;
    }
    lv_temporary *entry = malloc(sizeof *entry);
    if (!entry) {
        free(location);
        return NULL;
    }
    atomic_init(&entry->location, location);
    entry->next = atomic_load(&first);
    while (!atomic_compare_exchange_weak(&first, &entry->next, entry)) {}
    return entry;
}

int lv_temporary_create(int directory, const char *name, mode_t mode, lv_temporary **temporary) {
    // The handler that ends the process waits for this function, so it must not run on this thread
    // until then.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    atomic_fetch_add(&creating, 1);
    int descriptor = -1;
    int error = ENOMEM;
    if (!atomic_load(&is_ending)) {
        descriptor = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        error = errno;
        if (descriptor >= 0 && !(*temporary = lv_temporary_add(directory, name))) {
            unlinkat(directory, name, 0);
            close(descriptor);
            descriptor = -1;
            error = ENOMEM;
        }
    }
    atomic_fetch_sub(&creating, 1);
    while (atomic_load(&is_ending)) pause();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

void lv_temporary_forget(lv_temporary *temporary) {
    if (!temporary) return;
    struct location *location = atomic_exchange(&temporary->location, NULL);
    if (!atomic_load(&is_ending)) free(location);
}

void lv_temporaries_remove(void) {
    atomic_store(&is_ending, true);
    for (int turn = 0; turn < 50 && atomic_load(&creating) > 0; turn++) poll(NULL, 0, 10);
    // Directories last, when the files in them are gone.
    for (int pass = 0; pass < 2; pass++) {
        for (lv_temporary *entry = atomic_load(&first); entry; entry = entry->next) {
            const struct location *location = atomic_load(&entry->location);
            if (location) unlinkat(location->directory, location->name, pass == 0 ? 0 : AT_REMOVEDIR);
        }
    }
}
