import CLibZip

/// The files of a dotLottie archive. It is read from memory; nothing is ever unpacked to the disk.
struct Archive {
    /// The files by their paths.
    private(set) var files: [String: [UInt8]] = [:]

    private static let mostFiles = 1000

    /// Whether bytes begin as an archive does.
    static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// Unpacks an archive, up to the limit of a file's bytes in all.
    init(_ bytes: [UInt8]) throws {
        // libzip reads the bytes where they are until the archive is closed.
        files = try bytes.withUnsafeBytes { bytes in
            var error = zip_error_t()
            guard let source = zip_source_buffer_create(bytes.baseAddress, zip_uint64_t(bytes.count), 0, &error) else {
                throw LottieError("there is no memory to read the archive")
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
        guard count <= mostFiles else { throw LottieError("the archive has \(count) files; \(mostFiles) are possible") }
        var (files, total): ([String: [UInt8]], Int) = ([:], 0)
        for index in 0..<zip_uint64_t(max(0, count)) {
            guard let name = zip_get_name(archive, index, 0) else { continue }
            let path = String(cString: name)
            guard !path.hasSuffix("/") else { continue }
            let contents = try read(archive, index, path, atMost: LottieLimits.fileBytes - total)
            total += contents.count
            files[path] = contents
        }
        return files
    }

    /// What an archive says of a file's size need not be true, so that it is read up to a limit.
    private static func read(
        _ archive: OpaquePointer, _ index: zip_uint64_t, _ path: String, atMost limit: Int
    ) throws -> [UInt8] {
        guard let file = zip_fopen_index(archive, index, 0) else {
            throw LottieError("the archive's file '\(path.prefix(60))' cannot be read: it is damaged or encrypted")
        }
        defer { zip_fclose(file) }
        var (contents, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = zip_fread(file, &buffer, zip_uint64_t(buffer.count))
            guard count >= 0 else { throw LottieError("the archive's file '\(path.prefix(60))' is damaged") }
            if count == 0 { return contents }
            contents += buffer[..<Int(count)]
            guard contents.count <= limit else {
                throw LottieError("the archive unpacks to more than \(LottieLimits.fileBytes) bytes")
            }
        }
    }

    /// The ids of its animations in the manifest's order, and the contents of one of them.
    ///
    /// - Parameter id: the animation; empty for the first.
    func animation(_ id: String) throws -> (ids: [String], bytes: [UInt8]) {
        guard let manifest = files["manifest.json"] else { throw LottieError("the archive has no manifest.json") }
        guard case .object(let members) = try JSON(parsing: manifest), case .array(let list)? = members["animations"]
        else { throw LottieError("the archive's manifest.json names no animations") }
        let ids = list.compactMap { entry -> String? in
            guard case .object(let members) = entry, case .string(let id)? = members["id"] else { return nil }
            return id
        }
        guard let wanted = id.isEmpty ? ids.first : ids.first(where: { $0 == id }) else {
            let known = ids.prefix(20).joined(separator: ", ")
            throw LottieError("the archive has no animation '\(id)': it has \(known.isEmpty ? "none" : known)")
        }
        for path in ["animations/\(wanted).json", "a/\(wanted).json"] {
            if let bytes = files[path] { return (ids, bytes) }
        }
        throw LottieError("the archive names the animation '\(wanted)' but does not hold it")
    }
}
