import Platform

/// What tells one state of a file from another, without a look into it.
struct FileIdentity: Hashable {
    let device: dev_t, inode: ino_t, size: off_t, seconds: Int, nanoseconds: Int

    /// Nil if there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
        (seconds, nanoseconds) = (status.modified.tv_sec, status.modified.tv_nsec)
    }
}
