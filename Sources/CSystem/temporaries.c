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

// A list that only grows, with places that are used again: whoever walks along it needs no lock. A path belongs to who took
// it out of its place, until the process ends: from then on paths stay where they are in memory, since they may be read.
struct lv_temporary {
    _Atomic(char *) path;
    lv_temporary *next;
};

static _Atomic(lv_temporary *) first;
/// How many files are just being created.
static atomic_int creating;
static atomic_bool is_ending;

lv_temporary *lv_temporary_add(const char *path) {
    char *copy = strdup(path);
    if (!copy) return NULL;
    for (lv_temporary *place = atomic_load(&first); place; place = place->next) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&place->path, &none, copy)) return place;
    }
    lv_temporary *place = malloc(sizeof *place);
    if (!place) {
        free(copy);
        return NULL;
    }
    atomic_init(&place->path, copy);
    place->next = atomic_load(&first);
    while (!atomic_compare_exchange_weak(&first, &place->next, place)) {}
    return place;
}

int lv_temporary_create(const char *path, mode_t mode, lv_temporary **temporary) {
    // The handler that ends the process waits for us, so it must not run on this thread meanwhile.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    atomic_fetch_add(&creating, 1);
    int descriptor = -1, number = ENOMEM;
    if (!atomic_load(&is_ending)) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        number = errno;
        if (descriptor >= 0 && !(*temporary = lv_temporary_add(path))) {
            unlink(path);
            close(descriptor);
            descriptor = -1;
            number = ENOMEM;
        }
    }
    atomic_fetch_sub(&creating, 1);
    while (atomic_load(&is_ending)) pause();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return descriptor;
}

void lv_temporary_forget(lv_temporary *temporary) {
    if (!temporary) return;
    char *path = atomic_exchange(&temporary->path, NULL);
    if (!atomic_load(&is_ending)) free(path);
}

void lv_temporaries_remove(void) {
    atomic_store(&is_ending, true);
    for (int turn = 0; turn < 50 && atomic_load(&creating) > 0; turn++) poll(NULL, 0, 10);
    // Folders last, when the files in them are gone.
    for (int pass = 0; pass < 2; pass++) {
        for (lv_temporary *place = atomic_load(&first); place; place = place->next) {
            const char *path = atomic_load(&place->path);
            if (!path) continue;
            if (pass == 0) unlink(path);
            else rmdir(path);
        }
    }
}
