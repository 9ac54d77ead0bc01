import CLibZip
import Core

/// The decompressed files of a dotLottie archive. Nothing is written to disk.
struct Archive {
    /// The contents of the files by path.
    private(set) var files: [String: [UInt8]] = [:]

    /// The maximum number of files in an archive.
    private static let maxFiles = 1000

    /// Returns true if the bytes start with the signature of a ZIP file.
    static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// Decompresses an archive. Throws `LottieError` if it is damaged or its contents exceed
    /// `LottieLimits.maxFileBytes`.
    init(_ bytes: [UInt8]) throws {
        // libzip does not copy the bytes; they must stay in place until the archive is closed.
        files = try bytes.withUnsafeBytes { bytes in
            var error = zip_error_t()
            guard let source = zip_source_buffer_create(bytes.baseAddress, zip_uint64_t(bytes.count), 0, &error) else {
                throw LottieError.outOfMemory
            }
            guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
                zip_source_free(source)
                throw LottieError("the archive is damaged (\(String(cString: zip_error_strerror(&error))))")
            }
            defer { zip_discard(archive) }
            return try Self.unpack(archive)
        }
    }

    private static func unpack(_ archive: OpaquePointer) throws -> [String: [UInt8]] {
        let count = zip_get_num_entries(archive, 0)
        guard count <= maxFiles else { throw LottieError("the archive has \(count) files; the maximum is \(maxFiles)") }
        var files: [String: [UInt8]] = [:]
        var total = 0
        for index in 0..<zip_uint64_t(max(0, count)) {
            guard let name = zip_get_name(archive, index, 0) else { continue }
            let path = String(cString: name)
            guard path.utf8.last != UInt8(ascii: "/") else { continue }
            let contents = try read(archive, index, path, atMost: LottieLimits.maxFileBytes - total)
            total += contents.count
            files[path] = contents
        }
        return files
    }

    /// Reads a file up to a limit, because the size in the archive's directory may be wrong.
    private static func read(
        _ archive: OpaquePointer, _ index: zip_uint64_t, _ path: String, atMost limit: Int
    ) throws -> [UInt8] {
        guard let file = zip_fopen_index(archive, index, 0) else {
            throw LottieError(
                "the archive's file \(quoted(path)) cannot be read: it is damaged or encrypted; export the archive "
                    + "again"
            )
        }
        defer { zip_fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = zip_fread(file, &buffer, zip_uint64_t(buffer.count))
            guard count >= 0 else {
                throw LottieError("the archive's file \(quoted(path)) is damaged; export the archive again")
            }
            if count == 0 { return contents }
            contents += buffer[..<Int(count)]
            guard contents.count <= limit else {
                throw LottieError("the archive decompresses to more than \(LottieLimits.maxFileBytes) bytes")
            }
        }
    }

    private static func parsed(manifest: [UInt8]) throws(LottieError) -> JSON {
        do { return try JSON(parsing: manifest) } catch {
            throw LottieError("the archive's manifest.json: \(error.problem)")
        }
    }

    /// Returns the IDs of the animations in the order of the manifest, and the contents of one of
    /// them.
    ///
    /// - Parameter id: the animation's ID; empty for the first animation.
    func animation(_ id: String) throws -> (ids: [String], bytes: [UInt8]) {
        guard let manifest = files["manifest.json"] else {
            throw LottieError("not a dotLottie archive: it has no manifest.json; export it again as .lottie")
        }
        guard case .object(let members) = try Archive.parsed(manifest: manifest),
            case .array(let list)? = members["animations"]
        else { throw LottieError("the archive's manifest.json lists no animations") }
        let ids = list.compactMap { entry -> String? in
            guard case .object(let members) = entry, case .string(let id)? = members["id"] else { return nil }
            return id
        }
        guard let selected = id.isEmpty ? ids.first : ids.first(where: { $0 == id }) else {
            let known = ids.prefix(20).map { $0.abbreviated(to: maxNameLength) }.joined(separator: ", ")
            throw LottieError(
                known.isEmpty
                    ? "the archive's manifest.json lists no animations"
                    : "the archive has no animation \(quoted(id)); use one of: \(known)")
        }
        // Version 1 of dotLottie stores animations in `animations/`, version 2 in `a/`.
        for path in ["animations/\(selected).json", "a/\(selected).json"] {
            if let bytes = files[path] { return (ids, bytes) }
        }
        throw LottieError("the archive lists the animation \(quoted(selected)), but its file is missing")
    }
}
