import CSystem
import Platform

/// Who may do what with a file: what a new file takes over from the one whose place it takes.
///
/// The mode's bits for running as another user are not: new bytes have not earned them.
struct FileAccess {
    private let status: stat
    private let list: [UInt8]

    /// What holds for a file; nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = lv_read_acl(path, &bytes, bytes.count)
        list = Array(bytes.prefix(max(0, count)))
    }

    /// Gives it to an open file, as far as this process may: only root can give away what it owns.
    func apply(to descriptor: Int32) {
        if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, status.st_gid) }
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return }
        var mode = status.st_mode & 0o777
        if own.st_gid != status.st_gid {
            // What one group was allowed, another was not: it gets what everybody gets.
            mode = mode & 0o707 | (mode & 0o007) << 3
            _ = lv_write_acl(descriptor, nil, 0)
        } else if !lv_write_acl(descriptor, list, list.count) {
            // With a list the mode's middle tells what somebody of the list may do at most, not what the group may.
            mode &= 0o707
        }
        _ = fchmod(descriptor, mode)
    }
}
