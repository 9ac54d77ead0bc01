import Core

/// The step that gives a complete file its final name. It can be undone.
final class OutputNaming {
    private let temporary: DirectoryEntry
    private let location: OutputLocation
    private var target: DirectoryEntry { location.target }
    /// The identity of the file that gets the name.
    private let file: FileID?
    /// True if the name existed before.
    private let replaces: Bool
    /// The replaced file, kept for undoing; nil also if the file system has no hard links.
    private var former: TemporaryPath?

    /// Prepares the step. If the replaced file must be kept, gives it a second, temporary name.
    ///
    /// - Parameters:
    ///   - temporary: the complete file under its temporary name.
    ///   - location: the final name.
    ///   - keepsFormer: true to keep the replaced file as long as this object exists, for `undo`.
    init(_ temporary: DirectoryEntry, _ location: OutputLocation, keepsFormer: Bool) {
        self.temporary = temporary
        self.location = location
        file = temporary.status.map(FileID.init)
        replaces = location.target.status != nil
        guard keepsFormer, replaces else { return }
        let other = temporary.directory.entry(temporary.name + ".part")
        if location.target.link(to: other) { former = TemporaryPath(other) }
    }

    /// Gives the file its name. Throws `LoadervidError` if that fails.
    func giveName(replacing replacement: Replacement) throws {
        let isReplacing =
            switch replacement {
            case .nothing: false
            case .anything: true
            case .earlier: replaces && replacement.allows(target)
            }
        if isReplacing {
            guard temporary.rename(to: target) else { throw LoadervidError(errno: errno, .create, location.path) }
            return
        }
        // Unlike renaming, linking never replaces a file that another process has just created.
        if temporary.link(to: target) {
            temporary.unlink()
            return
        }
        // Some file systems have no hard links.
        guard errno == EEXIST || !temporary.renameUnlessTaken(to: target) else { return }
        guard errno == EEXIST else { throw LoadervidError(errno: errno, .create, location.path) }
        throw LoadervidError(.cannotCreate, "\(location.path) was created by another process", hint: .overwriting)
    }

    /// Undoes `giveName`, unless the name refers to a different file by now.
    func undo() {
        guard let file, target.status.map(FileID.init) == file else { return }
        if let former {
            if former.entry.rename(to: target) { former.keep() }
        } else if !replaces {
            target.unlink()
        }
    }
}
