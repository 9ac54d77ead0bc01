import Animations
import Core
import Render

/// File system access for documents: presets, scripts and the files that they name.
package enum DocumentFile {
    /// The reason why a file was not read.
    package struct Refusal: Error {
        /// The problem, as a sentence about the file without its subject.
        package var problem: String
        package var kind: LoadervidError.Kind
        /// The noun for the file, such as `preset` or `script`.
        package var noun: String
        /// True if the file does not exist.
        package var isAbsent = false

        /// The remedies for wrong paths. No retry helps, unlike after an error of the disk or for
        /// lack of memory.
        private static let remedies = [
            EACCES: "change its permissions", ELOOP: "name the file itself instead of the link",
            ENAMETOOLONG: "use a shorter path",
        ]

        /// The refusal for a file that cannot be opened or read.
        init(errno code: Int32, _ noun: String) {
            self.noun = noun
            isAbsent = [ENOENT, ENOTDIR].contains(code)
            let remedy = Self.remedies[code]
            let reason = String(cString: strerror(code))
            problem =
                isAbsent
                ? "does not exist"
                : "cannot be read: \(reason)" + (remedy.map { "; \($0)" } ?? "")
            kind = isAbsent || remedy != nil ? .missingInput : .inputOutput
        }

        /// The refusal for a file with invalid contents.
        init(_ problem: String, _ noun: String) {
            self.noun = noun
            self.problem = problem
            kind = .badData
        }
    }

    /// Returns the path of a preset: `argument` if that file exists, else the shipped preset of
    /// that name, else `argument`.
    package static func find(_ argument: String, shipped: String?) -> String {
        exists(argument) ? argument : Self.shipped(argument, in: shipped) ?? argument
    }

    /// Returns `did you mean 'NAME'?` for an unknown document if a shipped one has a similar name.
    package static func question(_ argument: String, shipped: String?) -> String? {
        guard let shipped, !argument.unicodeScalars.contains("/") else { return nil }
        return NearestName.question(stem(argument), in: names(in: shipped))
    }

    /// Returns the names of the documents in a directory, without their extension.
    private static func names(in directory: String) -> [String] {
        FileSystem.names(in: directory).filter { $0.hasSuffix(".yaml") }.map(stem)
    }

    /// Returns `use one of NAMES, or the path of a file` for an unknown document; nil for a path,
    /// and if none are shipped.
    package static func choice(insteadOf name: String, shipped: String?) -> String? {
        guard let shipped, !isPath(name) else { return nil }
        let names = names(in: shipped)
        return names.isEmpty ? nil : "use one of \(names.joined(separator: ", ")), or the path of a file"
    }

    /// Returns true if a name denotes a file path, existing or not: it has a slash or a YAML
    /// extension.
    package static func isPath(_ name: String) -> Bool {
        name.unicodeScalars.contains("/") || [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
    }

    /// Returns the paths of the presets in a directory, sorted by name.
    ///
    /// Throws `LoadervidError` if a preset's name is not UTF-8.
    package static func all(in directory: String) throws -> [String] {
        for name in FileSystem.rawNames(in: directory) where String(validating: name, as: UTF8.self) == nil {
            guard name.suffix(5).elementsEqual(".yaml".utf8) else { continue }
            let shown = String(decoding: name, as: UTF8.self)
            throw LoadervidError(
                .badData, "\(directory): the name of the preset \(quoted(shown)) is not UTF-8; rename it")
        }
        return FileSystem.names(in: directory).filter { $0.hasSuffix(".yaml") && $0.utf8.first != UInt8(ascii: ".") }
            .map {
                "\(directory)/\($0)"
            }
    }

    /// Returns the path of a shipped preset by its name, with or without the extension.
    package static func shipped(_ name: String, in directory: String?) -> String? {
        guard let directory, !name.unicodeScalars.contains("/"), name.utf8.first != UInt8(ascii: ".") else {
            return nil
        }
        return [name, name + ".yaml"].map { "\(directory)/\($0)" }.first { FileSystem.kind($0) == S_IFREG }
    }

    /// Reads a regular file of at most `limits.fileBytes` bytes.
    ///
    /// - Parameter noun: the noun for the file in messages, such as `preset` or `script`.
    package static func read(
        _ path: String, as noun: String = "preset", limits: DocumentLimits
    ) -> Result<[UInt8], Refusal> {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(Refusal(errno: errno, noun)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Refusal("is not a regular file; use a \(noun) in YAML", noun))
        }
        FilesInUse.current?.noteInput(status)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limits.fileBytes {
            let count = Core.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(Refusal(errno: errno, noun)) }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
        }
        let problem =
            "is larger than the maximum of \(limits.fileBytes) bytes for a \(noun)"
            + (noun == "preset" ? "; raise \(commandOption: "max-preset-bytes")" : "")
        return .failure(Refusal(problem, noun))
    }

    /// Returns true if a path exists and is not a directory. The outputs of a preset `web` are in a
    /// directory `web`, which must not hide the preset from the next batch.
    package static func exists(_ path: String) -> Bool { FileSystem.kind(path).map { $0 != S_IFDIR } ?? false }

    /// Returns true if a file is below a directory after links are resolved.
    package static func isInside(_ path: String, _ directory: String) -> Bool {
        let directory = FileSystem.resolved(directory)
        let slash = UInt8(ascii: "/")
        return FileSystem.resolved(path).starts(with: directory == [slash] ? directory : directory + [slash])
    }

    /// Returns the path of a file that a document names, relative to the document's directory; nil
    /// if the file is outside that directory, by its name or through a link.
    package static func path(of name: String, beside document: String) -> String? {
        let directory = document.directoryPart
        let path = directory + name
        guard FileName.problem(of: name) == nil, !exists(path) || isInside(path, directory.isEmpty ? "." : directory)
        else { return nil }
        return path
    }

    /// Returns a file's name without its directory and extension.
    package static func stem(_ path: String) -> String {
        let name = FileSystem.split(path).name
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
