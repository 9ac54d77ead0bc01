/// The identity of a file's state, without reading its contents.
package struct FileState: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// Returns nil if the file does not exist.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        seconds = status.modified.tv_sec
        nanoseconds = status.modified.tv_nsec
    }
}
