import CSystem
import Core

/// The access settings that a new file takes over from the file it replaces: owner, group,
/// permissions and access control list. The set-user-ID and set-group-ID bits are dropped, because
/// they were granted to the old contents.
struct FileAccess {
    private let status: stat
    private let list: [UInt8]

    /// The access settings of a file; nil if it does not exist.
    init?(of entry: DirectoryEntry) {
        guard let status = entry.status, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.status = status
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = lv_read_acl(entry.directory.descriptor, entry.name, &bytes, bytes.count)
        list = Array(bytes.prefix(max(0, count)))
    }

    /// Applies the settings to an open file, as far as this process may: only root can change a
    /// file's owner.
    func apply(to descriptor: Int32) {
        if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, status.st_gid) }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return }
        var mode = status.st_mode & 0o777
        if own.st_gid != status.st_gid {
            // The old group's permissions were not meant for this group: it gets those of others.
            mode = mode & 0o707 | (mode & 0o007) << 3
            _ = lv_write_acl(descriptor, nil, 0)
        } else if !lv_write_acl(descriptor, list, list.count) {
            // In the presence of an access list, the mode's group bits are the list's mask, not the
            // group's own permissions (acl(5)).
            mode &= 0o707
        }
        _ = fchmod(descriptor, mode)
    }
}
