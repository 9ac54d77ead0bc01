import CSystem
import Core

/// A file or directory that is removed with the last reference, or when a signal that the process
/// can catch ends it.
///
/// Sendable: only its owner changes it, through `keep`.
package final class TemporaryPath: @unchecked Sendable {
    /// The directory entry. Its directory stays open while the name is registered.
    let entry: DirectoryEntry
    private let registered: OpaquePointer?
    private var isKept = false

    /// The path.
    package var path: String { entry.path }

    /// Registers an existing file, or a directory with files in it, for removal.
    package convenience init(_ path: String) { self.init(DirectoryHandle.working.entry(path)) }

    /// Registers a file or directory in an open directory for removal.
    package init(_ entry: DirectoryEntry) {
        self.entry = entry
        registered = lv_temporary_add(entry.directory.descriptor, entry.name)
    }

    private init(_ entry: DirectoryEntry, _ registered: OpaquePointer?) {
        self.entry = entry
        self.registered = registered
    }

    /// Creates and opens a new file, with access for its owner alone or as the umask permits.
    /// Returns nil and sets `errno` if that fails.
    static func file(_ entry: DirectoryEntry, isPrivate: Bool) -> (file: TemporaryPath, descriptor: Int32)? {
        var registered: OpaquePointer?
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        let descriptor = lv_temporary_create(entry.directory.descriptor, entry.name, mode, &registered)
        return descriptor < 0 ? nil : (TemporaryPath(entry, registered), descriptor)
    }

    /// Keeps the file: it is no longer temporary, or has a new name.
    package func keep() {
        isKept = true
        lv_temporary_forget(registered)
    }

    deinit {
        guard !isKept else { return }
        entry.remove()
        lv_temporary_forget(registered)
    }
}

extension DirectoryEntry {
    /// The beginning of the entry's name, for names of temporaries: file systems take names of up
    /// to 255 bytes.
    var temporaryStem: Substring {
        var stem = Substring(name)
        while stem.utf8.count > 200 { stem.removeLast() }
        return stem
    }
}
