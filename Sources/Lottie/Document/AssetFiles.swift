import Media
import Platform
import Scene

/// The pictures of an animation: in the file itself, or in its folder.
struct AssetFiles {
    /// The folder that the animation's paths begin in, with a slash at its end; nil if it has none.
    let folder: String?
    /// Files that are packed with the animation, by their paths.
    var packed: [String: [UInt8]] = [:]

    /// The picture of an asset.
    func image(_ asset: Field) throws -> Bitmap {
        guard let path = asset.string("p") else { throw asset.error("an image without a path (p)") }
        let name = "the image '\((asset.id("id") ?? "").prefix(60))'"
        if path.hasPrefix("data:") {
            guard let bytes = Self.embedded(path) else { throw asset.error("\(name) is no picture in base64") }
            return try decode(bytes, name, asset)
        }
        let file = (asset.string("u") ?? "") + path
        // Names within an archive never reach the disk; some writers begin them with a slash.
        let inner = String(file.drop { $0 == "/" })
        if let bytes = packed[inner] ?? packed["images/" + path] ?? packed["i/" + path] {
            return try decode(bytes, name, asset)
        }
        guard Self.staysInside(file) else {
            throw asset.error("\(name) is outside of the animation's folder, which is not read: '\(file.prefix(100))'")
        }
        guard let folder, let whole = Self.inside(folder, file) else {
            throw asset.error("\(name) is not beside the animation: '\(file.prefix(100))'")
        }
        do throws(FFmpegError) {
            return try Bitmap.load(path: whole, mostPixels: LottieLimits.mostPixels)
        } catch { throw asset.error("\(name) cannot be read (\(error.reason))") }
    }

    /// The hashes of the pictures that an animation takes from its folder, as far as they can be read.
    func hashes(_ root: Field) -> [String] {
        guard let folder else { return [] }
        return (root["assets"]?.items ?? []).compactMap { asset in
            guard let path = asset.string("p"), !path.hasPrefix("data:") else { return nil }
            let file = (asset.string("u") ?? "") + path
            guard Self.staysInside(file), let whole = Self.inside(folder, file) else { return nil }
            return try? SHA256.file(whole).hash
        }
    }

    /// Whether a path does not lead out of the folder by itself.
    private static func staysInside(_ file: String) -> Bool {
        let steps = file.split(separator: "/", omittingEmptySubsequences: false)
        return !file.hasPrefix("/") && !steps.contains("..") && !file.contains(":")
            && file.utf8.allSatisfy { $0 >= 0x20 }
    }

    private func decode(_ bytes: [UInt8], _ name: String, _ asset: Field) throws -> Bitmap {
        do throws(FFmpegError) {
            return try Bitmap.load(InputFile(bytes: bytes, name: name), mostPixels: LottieLimits.mostPixels)
        } catch { throw asset.error("\(name) cannot be read (\(error.reason))") }
    }

    /// The path of an ordinary file in a folder or below, links followed; nil if it is elsewhere.
    private static func inside(_ folder: String, _ file: String) -> String? {
        guard let root = realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
        defer { free(root) }
        guard let found = realpath(folder + file, nil) else { return nil }
        defer { free(found) }
        let (directory, path) = (String(cString: root), String(cString: found))
        return path.hasPrefix(directory == "/" ? "/" : directory + "/") ? path : nil
    }

    /// The bytes of a data URI in base64.
    private static func embedded(_ uri: String) -> [UInt8]? {
        guard let comma = uri.utf8.firstIndex(of: UInt8(ascii: ",")), uri[..<comma].hasSuffix(";base64") else {
            return nil
        }
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        for letter in uri.utf8[uri.utf8.index(after: comma)...] {
            let value: UInt32
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(letter) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(letter) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(letter) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="), 0x0A, 0x0D, 0x20: continue
            default: return nil
            }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
