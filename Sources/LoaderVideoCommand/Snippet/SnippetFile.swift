import Core
import Inspect
import Media
import Render

/// A file of a clip for a web page, with what its header says.
struct SnippetFile {
    /// The kinds of files that browsers show. Images are offered in this order, small formats
    /// first.
    enum Kind: String, CaseIterable {
        case mov, webm, mp4, m4v, avif, webp, svg, apng, gif, png, jpg, jpeg

        var isVideo: Bool { [.mov, .webm, .mp4, .m4v].contains(self) }

        /// The MIME type without a codec. Chromium takes H.264 in MOV by the type of MP4 only.
        var type: String {
            switch self {
            case .svg: "image/svg+xml"
            case .jpg, .jpeg: "image/jpeg"
            case .mov, .mp4, .m4v: "video/mp4"
            case .webm: "video/webm"
            case .avif, .webp, .apng, .gif, .png: "image/\(rawValue)"
            }
        }
    }

    let path: String
    /// The kind by the file's contents: an animated PNG is `apng` under any name.
    let kind: Kind
    /// True for an image that does not move.
    let isStill: Bool
    let width: Int
    let height: Int
    /// The MIME type, with the codec where browsers need it to choose.
    let type: String
    /// The position among the files that a page offers: a browser shows the first one that it
    /// knows.
    let rank: Int

    /// The number of bytes in which an image's size is searched.
    private static let headerBytes = 1 << 20

    /// Reads a file's header. Throws `LoadervidError` if it is missing, is not for web pages, or
    /// does not have the format of its extension.
    init(path: String) throws {
        self.path = path
        let ending = path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[path.utf8.index(after: $0)...].lowercased() }
        guard let kind = ending.flatMap(Kind.init(rawValue:)) else {
            let problem = FileSystem.kind(path) == S_IFDIR ? "is a directory" : "is not a file for web pages"
            throw LoadervidError(
                .usage, "\(path) \(problem); use .\(Kind.allCases.map(\.rawValue).joined(separator: ", ."))")
        }
        guard FileSystem.exists(path) else { throw LoadervidError(missing: path) }
        do {
            let bytes = try InputFile(path: path).bytes(at: 0, count: Self.headerBytes)
            let header = ImageHeader(bytes)
            guard !kind.isVideo else {
                guard header.isVideo(kind) else { throw Self.wrongContents(path, kind) }
                self.kind = kind
                isStill = false
                let parameters: CodecParameters
                do throws(FFmpegError) { parameters = try Demuxer(path: path).parameters() } catch {
                    throw LoadervidError(noVideo: error, path: path)
                }
                width = parameters.width
                height = parameters.height
                type = try Self.type(of: kind, parameters, path)
                rank = Self.rank(of: kind, codec: parameters.codecName)
                return
            }
            guard let size = header.size(of: kind) else {
                if kind == .svg, header.isSVG {
                    throw LoadervidError(
                        .badData, "\(path) has no size in pixels; give its svg element width and height, or a viewBox")
                }
                throw Self.wrongContents(path, kind)
            }
            (width, height) = size
            isStill = !header.isAnimated(kind)
            self.kind = kind == .png && !isStill ? .apng : kind
            type = self.kind.type
            rank = Self.rank(of: self.kind, codec: "")
        } catch { throw LoadervidError(error) }
    }

    private static func wrongContents(_ path: String, _ kind: Kind) -> LoadervidError {
        LoadervidError(.badData, "\(path) does not contain \(kind.rawValue.uppercased()); check its name")
    }

    /// Returns the position of a file among those that a page offers: videos before images, and
    /// efficient codecs first. HEVC in MOV is the first: only Safari plays it, and Safari shows the
    /// other videos without their alpha. H.264 in MOV is the last video, because servers send it as
    /// QuickTime, which some browsers refuse only after they chose it.
    private static func rank(of kind: Kind, codec: String) -> Int {
        let videos = ["hevc mov", "av1", "vp9", "vp8", "hevc", "h264", "h264 mov"]
        guard kind.isVideo else { return videos.count + (Kind.allCases.firstIndex(of: kind) ?? 0) }
        let isMOV = kind == .mov && ["hevc", "h264"].contains(codec)
        return videos.firstIndex(of: isMOV ? "\(codec) mov" : codec) ?? videos.count - 1
    }

    /// Returns the MIME type of a video.
    private static func type(of kind: Kind, _ parameters: CodecParameters, _ path: String) throws -> String {
        let codec = parameters.codecName
        guard ["h264", "hevc", "vp8", "vp9", "av1"].contains(codec) else {
            throw LoadervidError(.badData, "\(path) has \(codec), which browsers do not play; use .webm or .mp4")
        }
        guard codec != "h264" || hasCommonProfile(parameters.header) else {
            throw LoadervidError(
                .badData,
                "\(path) has a profile of H.264 that not all browsers play; encode it with --pixel-format yuv420p")
        }
        // Only some browsers play HEVC and AV1, and they say so for these codec strings.
        return switch codec {
        case "hevc": "\(kind == .mov ? "video/quicktime" : kind.type); codecs=hvc1"
        case "av1": "\(kind.type); codecs=\(av1(parameters.header))"
        default: kind.type
        }
    }

    /// Returns true for H.264 in the Baseline, Main or High profile, with 8 bits and 4:2:0. The
    /// second byte of its configuration record is the profile (ISO 14496-15, 5.3.3.1.2).
    private static func hasCommonProfile(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
        guard record.count >= 4, record[0] == 1 else { return true }
        return [66, 77, 88, 100].contains(record[1])
    }

    /// Returns the codec string of AV1 from its configuration record (AV1 in ISOBMFF, sections 2.3
    /// and 5): profile, level, tier and bit depth. Main profile at level 3.0 if there is no record.
    private static func av1(_ record: UnsafeBufferPointer<UInt8>) -> String {
        guard record.count >= 4, record[0] == 0x81 else { return "av01.0.04M.08" }
        let level = record[1] & 31
        let tier = record[2] >> 7 == 0 ? "M" : "H"
        let depth = record[2] >> 5 & 1 == 1 ? "12" : record[2] >> 6 & 1 == 1 ? "10" : "08"
        return "av01.\(record[1] >> 5).\(level < 10 ? "0" : "")\(level)\(tier).\(depth)"
    }
}

/// The format, the size and the animation that the header of a file declares.
private struct ImageHeader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns true if the file has the container of a kind of video.
    func isVideo(_ kind: SnippetFile.Kind) -> Bool {
        guard kind == .webm else { return has("ftyp", at: 4) && !has("avif", at: 8) && !has("avis", at: 8) }
        // The document type in the header tells WebM from Matroska (RFC 8794, 11.2.6).
        let header = ImageHeader(Array(bytes.prefix(64)))
        return bytes.number(at: 0, bytes: 4) == 0x1A45_DFA3 && header.index(of: "webm") != nil
    }

    /// Returns true unless the file declares a single image. GIF files do not declare the number of
    /// theirs.
    func isAnimated(_ kind: SnippetFile.Kind) -> Bool {
        switch kind {
        // The animation's chunk precedes the image data (PNG, third edition, 11.3.6.1).
        case .png, .apng: index(of: "acTL").map { $0 < index(of: "IDAT") ?? .max } ?? false
        // The animation flag of the extended header (RFC 9649, 2.7).
        case .webp: has("VP8X", at: 12) && bytes.number(at: 20, bytes: 1).map { $0 & 2 != 0 } ?? false
        // The brand of image sequences (AV1 Image File Format, 6.3).
        case .avif: has("avis", at: 8)
        case .jpg, .jpeg: false
        case .gif, .svg, .mov, .webm, .mp4, .m4v: true
        }
    }

    /// True for a document with an `svg` element.
    var isSVG: Bool { index(of: "<svg") != nil }

    func size(of kind: SnippetFile.Kind) -> (width: Int, height: Int)? {
        switch kind {
        case .gif: has("GIF8", at: 0) ? pair(at: 6, 8, bytes: 2, isLittle: true) : nil
        case .png, .apng: has("PNG", at: 1) ? pair(at: 16, 20, bytes: 4) : nil
        case .webp: has("WEBP", at: 8) ? webp : nil
        case .avif: index(of: "ispe").flatMap { pair(at: $0 + 8, $0 + 12, bytes: 4) }
        case .jpg, .jpeg: jpeg
        case .svg: svg
        case .mov, .webm, .mp4, .m4v: nil
        }
    }

    private func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }

    private func index(of text: String) -> Int? {
        let pattern = Array(text.utf8)
        return bytes.indices.first { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
    }

    private func pair(at first: Int, _ second: Int, bytes count: Int, isLittle: Bool = false) -> (Int, Int)? {
        let sides = 1...Int(Int32.max)
        guard let width = bytes.number(at: first, bytes: count, isLittle: isLittle), sides.contains(width),
            let height = bytes.number(at: second, bytes: count, isLittle: isLittle), sides.contains(height)
        else { return nil }
        return (width, height)
    }

    /// The canvas of an extended file, or the frame of a simple one (RFC 9649).
    private var webp: (Int, Int)? {
        if has("VP8X", at: 12) {
            guard let width = bytes.number(at: 24, bytes: 3, isLittle: true),
                let height = bytes.number(at: 27, bytes: 3, isLittle: true)
            else { return nil }
            return (width + 1, height + 1)
        }
        if has("VP8L", at: 12) {
            guard let bits = bytes.number(at: 21, bytes: 4, isLittle: true) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard let size = pair(at: 26, 28, bytes: 2, isLittle: true) else { return nil }
        return (size.0 & 0x3FFF, size.1 & 0x3FFF)
    }

    /// The size in the first start-of-frame marker (ITU-T T.81, annex B).
    private var jpeg: (Int, Int)? {
        guard bytes.number(at: 0, bytes: 2) == 0xFFD8 else { return nil }
        var offset = 2
        while let marker = bytes.number(at: offset, bytes: 2), let length = bytes.number(at: offset + 2, bytes: 2) {
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                return pair(at: offset + 7, offset + 5, bytes: 2)
            }
            offset += 2 + max(2, length)
        }
        return nil
    }

    /// The `width` and `height` of the root element, or those of its `viewBox`.
    private var svg: (Int, Int)? {
        guard let start = index(of: "<svg") else { return nil }
        let root = String(decoding: bytes[start...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        func value(_ name: String) -> Substring? {
            for quote in ["\"", "'"] {
                let parts = root.split(separator: " \(name)=\(quote)", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { return parts[1].prefix { String($0) != quote } }
            }
            return nil
        }
        func pixels(_ text: Substring?) -> Int? {
            text.flatMap { Double($0.hasSuffix("px") ? $0.dropLast(2) : $0) }.flatMap {
                (1...1_000_000).contains($0) ? Int($0.rounded()) : nil
            }
        }
        if let width = pixels(value("width")), let height = pixels(value("height")) { return (width, height) }
        let box = value("viewBox")?.split { $0.isWhitespace || $0 == "," } ?? []
        guard box.count == 4, let width = pixels(box[2]), let height = pixels(box[3]) else { return nil }
        return (width, height)
    }
}
