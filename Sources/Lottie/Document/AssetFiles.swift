import Core
import Media
import Raster

/// The images of an animation, embedded in the file or stored in its directory.
struct AssetFiles {
    /// The directory that relative paths start from, with a trailing slash; nil if there is none.
    let folder: String?
    /// The files in the animation's archive by path; empty for a JSON file.
    var packed: [String: [UInt8]] = [:]
    /// The images read so far.
    let log = ImageLog()

    /// An image, with a note about the file it is read from if that is not the named one.
    struct Image {
        var bitmap: Bitmap
        var note: String?
    }

    /// Returns the image of an asset with an ID. Throws `LottieError` if it cannot be read or
    /// decoded, or is outside of the animation's directory.
    func image(_ asset: Field, id: String) throws -> Image {
        guard let path = asset.string("p") else { throw asset.error("the image has no path (p)") }
        let name = "the image \(quoted(id))"
        if path.hasPrefix("data:") {
            guard let bytes = Self.decodedDataURI(path) else { throw asset.error("\(name) is not a base64 data URI") }
            return Image(bitmap: try decode(bytes, name, asset))
        }
        let file = (asset.string("u") ?? "") + path
        // Paths inside an archive never reach the disk. Some exporters start them with a slash.
        let inner = String(file.unicodeScalars.drop { $0 == "/" })
        if let bytes = packed[inner] ?? packed["images/" + path] ?? packed["i/" + path] {
            return Image(bitmap: try decode(bytes, name, asset))
        }
        guard let found = find(file) else {
            guard Self.staysInside(file) else {
                throw asset.error(
                    "\(name) is outside the animation's directory: \(quoted(file)); put it beside the animation, and "
                        + "only its file name into p")
            }
            throw asset.error(
                folder == nil
                    ? "\(name) is not in the archive: \(quoted(file)); export the archive again with its images"
                    : "\(name) is not in the animation's directory: \(quoted(file)); put it beside the animation, or "
                        + "export with embedded images")
        }
        let input: InputFile
        do throws(FFmpegError) { input = try InputFile(path: found.path) } catch {
            throw asset.error("\(name) cannot be read: \(error.reason)")
        }
        let bitmap = try decode(input, name, asset)
        guard found.file != file else { return Image(bitmap: bitmap) }
        return Image(
            bitmap: bitmap,
            note: "\(name) is read from \(quoted(found.file)), because \(quoted(file)) does not exist")
    }

    /// The directories in which exporters and developers put images, beside the animation.
    private static let usualFolders = ["", "images/", "img/", "assets/"]

    /// Returns the path of an image relative to the animation's directory, and the path to open:
    /// the one in the file, or the same name in one of the usual directories. Returns nil if there
    /// is none.
    private func find(_ file: String) -> (file: String, path: String)? {
        guard let folder else { return nil }
        let name = file.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        for candidate in [file] + Self.usualFolders.map({ $0 + name }) where Self.staysInside(candidate) {
            let path = Self.resolved(candidate, in: folder)
            // A file that is missing now may exist when the animation is used again.
            log.note(path ?? folder + candidate)
            if let path { return (candidate, path) }
        }
        return nil
    }

    /// Returns true if the path stays inside the directory, apart from symbolic links.
    private static func staysInside(_ file: String) -> Bool {
        // Splits bytes, as the file system does: in Swift, a slash followed by a combining mark is
        // a different character.
        let components = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return file.utf8.first != UInt8(ascii: "/") && !components.contains { $0.elementsEqual("..".utf8) }
            && file.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: ":") }
    }

    private func decode(_ bytes: [UInt8], _ name: String, _ asset: Field) throws -> Bitmap {
        try decode(InputFile(bytes: bytes, name: name), name, asset)
    }

    private func decode(_ file: InputFile, _ name: String, _ asset: Field) throws -> Bitmap {
        guard log.take(file.byteCount) else {
            throw asset.error(
                "with the \(file.byteCount) bytes of \(name), all images exceed the maximum of "
                    + "\(LottieLimits.maxImageBytes) bytes; compress them, or reduce their dimensions")
        }
        do throws(FFmpegError) {
            // A side longer than that of a drawing surface would make each frame fail.
            return try Bitmap.load(file, fitting: Pixmap.maxSide, maxPixels: LottieLimits.maxPixels)
        } catch {
            throw asset.error("\(name) cannot be read: \(error.explanation)")
        }
    }

    /// Returns the path of a file with symbolic links resolved; nil if the file does not exist or
    /// is not below the folder.
    private static func resolved(_ file: String, in folder: String) -> String? {
        guard let root = realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
        defer { free(root) }
        guard let found = realpath(folder + file, nil) else { return nil }
        defer { free(found) }
        let directory = String(cString: root)
        let path = String(cString: found)
        return path.utf8.starts(with: (directory == "/" ? "/" : directory + "/").utf8) ? path : nil
    }

    /// Returns the bytes of a base64 data URI; nil if it is not one. Whitespace and padding are
    /// skipped.
    private static func decodedDataURI(_ uri: String) -> [UInt8]? {
        guard let comma = uri.utf8.firstIndex(of: UInt8(ascii: ",")), uri[..<comma].hasSuffix(";base64") else {
            return nil
        }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for character in uri.utf8[uri.utf8.index(after: comma)...] {
            let value: UInt32
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="), 0x0A, 0x0D, 0x20: continue
            default: return nil
            }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bytes
    }
}

/// The image files that the parser opened, and the number of bytes that it may still read.
final class ImageLog {
    /// A file on disk with its identity at the time of opening.
    struct Entry: Sendable {
        let path: String
        /// Nil if the file did not exist.
        let identity: FileState?

        /// True if the file is unchanged.
        var isCurrent: Bool { FileState(path) == identity }
    }

    /// The files on disk in the order of their first opening, without duplicates.
    private(set) var entries: [Entry] = []
    private var paths: Set<String> = []
    private var bytesLeft = LottieLimits.maxImageBytes

    /// Records that a file was opened or looked for.
    func note(_ path: String) {
        if paths.insert(path).inserted { entries.append(Entry(path: path, identity: FileState(path))) }
    }

    /// Counts the bytes of another image. Returns false if the images exceed the limit together.
    func take(_ byteCount: Int) -> Bool {
        bytesLeft -= byteCount
        return bytesLeft >= 0
    }
}
