import CSystem
import Platform

/// A file or folder that goes away with this or with the process, if that ends in a way that it knows of.
///
/// Sendable: nothing changes but by `keep`, which is its owner's.
package final class TemporaryPath: @unchecked Sendable {
    /// Where it is.
    package let path: String
    private let entry: OpaquePointer?
    private var isKept = false

    /// Looks after something that is there: a file, or a folder with files in it.
    package init(_ path: String) {
        self.path = path
        entry = lv_temporary_add(path)
    }

    private init(_ path: String, _ entry: OpaquePointer?) { (self.path, self.entry) = (path, entry) }

    /// Creates and opens a file under a name that nothing has, for its owner alone or as the user's mask allows. Returns nil
    /// and leaves `errno` if that does not go.
    static func file(_ path: String, isPrivate: Bool) -> (file: TemporaryPath, descriptor: Int32)? {
        var entry: OpaquePointer?
        let descriptor = lv_temporary_create(path, isPrivate ? 0o600 : 0o666, &entry)
        return descriptor < 0 ? nil : (TemporaryPath(path, entry), descriptor)
    }

    /// Leaves it where it is: it is not temporary any more, or has another name.
    package func keep() {
        isKept = true
        lv_temporary_forget(entry)
    }

    deinit {
        guard !isKept else { return }
        FileSystem.remove(path)
        lv_temporary_forget(entry)
    }
}
