import Platform
import Pipeline

/// What readers of documents ask of the file system.
public enum DocumentFile {
    /// Why a file was not read.
    package struct Refusal: Error {
        package var what: String
        package var isMissing: Bool
    }

    /// The path of a preset: a file, or one of those in `shipped` by its name alone, if there is no such file.
    public static func find(_ argument: String, shipped: String?) -> String {
        exists(argument) ? argument : Self.shipped(argument, in: shipped) ?? argument
    }

    /// The presets in a directory, in the order of their names. Throws `RenderError` if one has a name that is no text.
    public static func all(in directory: String) throws -> [String] {
        for name in FileSystem.rawNames(in: directory) where String(validating: name, as: UTF8.self) == nil {
            guard name.suffix(5).elementsEqual(".yaml".utf8) else { continue }
            let shown = String(decoding: name, as: UTF8.self)
            throw RenderError(.badData, "\(directory) has a preset '\(shown)' whose name is not UTF-8: rename it")
        }
        return FileSystem.names(in: directory).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map {
            "\(directory)/\($0)"
        }
    }

    /// The path of a shipped preset by its name, with or without the suffix.
    package static func shipped(_ name: String, in directory: String?) -> String? {
        guard let directory, !name.unicodeScalars.contains("/"), !name.hasPrefix(".") else { return nil }
        return [name, name + ".yaml"].map { "\(directory)/\($0)" }.first { FileSystem.kind($0) == S_IFREG }
    }

    /// The bytes of an ordinary file, but no more than the limit.
    ///
    /// - Parameter kind: what it is for, as messages call it.
    package static func read(
        _ path: String, as kind: String = "preset", limits: DocumentLimits
    ) -> Result<[UInt8], Refusal> {
        // A pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let isMissing = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno)
            let reason =
                isMissing
                ? "there is no such \(kind)" : "the \(kind) cannot be read: \(String(cString: strerror(errno)))"
            return .failure(Refusal(what: reason, isMissing: true))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Refusal(what: "this is not an ordinary file: give a \(kind) in YAML", isMissing: false))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limits.fileBytes {
            let count = Platform.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                return .failure(Refusal(what: String(cString: strerror(errno)), isMissing: false))
            }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
        }
        let what =
            "the file has more than \(limits.fileBytes) bytes, which is much for a \(kind)"
            + (kind == "preset" ? " (--max-preset-bytes)" : "")
        return .failure(Refusal(what: what, isMissing: false))
    }

    /// Whether something is there that is no directory: the outputs of a preset `web` are in a directory `web`, which must
    /// not hide the preset from the next batch.
    package static func exists(_ path: String) -> Bool { FileSystem.kind(path).map { $0 != S_IFDIR } ?? false }

    /// Whether a file is below a directory, links followed.
    package static func isInside(_ path: String, _ directory: String) -> Bool {
        let (directory, slash) = (FileSystem.resolved(directory), UInt8(ascii: "/"))
        return FileSystem.resolved(path).starts(with: directory == [slash] ? directory : directory + [slash])
    }

    /// The path of a file that a document names, beside it or below; nil if the name leads away, by itself or through a link.
    package static func path(of name: String, beside document: String) -> String? {
        let directory = directory(document)
        let path = directory + name
        guard FileName.problem(of: name) == nil, !exists(path) || isInside(path, directory.isEmpty ? "." : directory)
        else { return nil }
        return path
    }

    /// The part of a path up to its last slash, which may be empty.
    package static func directory(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(decoding: path.utf8[...slash], as: UTF8.self)
    }

    /// A file's name without its suffix.
    package static func stem(_ path: String) -> String {
        let name = String(decoding: path.utf8.dropFirst(directory(path).utf8.count), as: UTF8.self)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
