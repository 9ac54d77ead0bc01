import CSystem
import Core

/// The access settings that a new file or directory takes over from the one it replaces: owner,
/// group, permissions and access control list. A file's set-user-ID and set-group-ID bits are
/// dropped, because they were granted to the old contents; a directory's are inherited by new
/// files.
struct FileAccess {
    private let status: stat
    private let list: [UInt8]

    /// The access settings of a file or directory; nil if it does not exist.
    init?(of entry: DirectoryEntry) {
        guard let status = entry.status, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
        self.status = status
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = lv_read_acl(entry.directory.descriptor, entry.name, &bytes, bytes.count)
        list = Array(bytes.prefix(max(0, count)))
    }

    /// Applies the settings to a file, as far as this process may.
    func apply(to entry: DirectoryEntry) {
        let file = openat(entry.directory.descriptor, entry.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        apply(to: file)
        close(file)
    }

    /// Applies the settings to an open file or directory, as far as this process may: only root can
    /// change a file's owner.
    func apply(to descriptor: Int32) {
        if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, status.st_gid) }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return }
        var mode = status.st_mode & (status.st_mode & S_IFMT == S_IFDIR ? 0o7777 : 0o777)
        if own.st_gid != status.st_gid {
            // The old group's permissions were not meant for this group: it gets those of others.
            mode = mode & ~0o070 | (mode & 0o007) << 3
            _ = lv_write_acl(descriptor, nil, 0)
        } else if !lv_write_acl(descriptor, list, list.count) {
            // In the presence of an access list, the mode's group bits are the list's mask, not the
            // group's own permissions (acl(5)).
            mode &= ~0o070
        }
        _ = fchmod(descriptor, mode)
    }
}
