import Animations
import Core
import Media

/// A Lottie file's bytes with its parsed loaders. Clips of a batch often share a file, which is
/// then parsed once.
final class LottieFile: Sendable {
    /// The settings that affect parsing.
    struct Variant: Hashable {
        /// The ID of an animation in an archive; empty for the first one.
        var animation: String
        var subframes: Subframes
        /// The family for text whose own font is not installed; empty for a similar one.
        var font = ""
        /// True to record a missing font as unsupported instead.
        var hasStrictFonts = false
        /// The timing function that replaces those of keyframes; nil for none.
        var easing: EasingOverride?
        /// Values that replace those of layers.
        var values: [LayerProperty: Double] = [:]
    }

    /// The result of parsing a variant. It is valid while the images in the directory are
    /// unchanged.
    private struct ParseResult {
        let loader: Result<LottieLoader, ParameterError>
        /// The unsupported features, which the loader leaves out. They are known even if its frames
        /// take too long to draw.
        let unsupported: [UnsupportedFeature]
        let images: [ImageLog.Entry]
    }

    /// The file name without its extension.
    let title: String
    private let path: String
    private let name: String
    private let bytes: [UInt8]
    private let parseResults = Locked<[Variant: ParseResult]>([:])
    private let cachedHash = Locked<String?>(nil)

    private init(_ path: String, _ bytes: [UInt8]) {
        let name = String(decoding: path.utf8.dropFirst(path.directoryPart.utf8.count), as: UTF8.self)
        self.path = path
        self.name = name
        self.bytes = bytes
        // A name that begins with its only dot has no extension.
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil }
        title = dot.map { String(name[..<$0]) } ?? name
    }

    // MARK: Cache

    /// The maximum number of cached files. A parse result holds up to 96 MB of pixels
    /// (`LottieLimits.maxPixels`), so all files together hold at most 1.5 GB.
    private static let maxFiles = 4
    /// The maximum number of parse results of a file, which differ by their options.
    private static let maxParseResults = 4
    private static let recent = Locked<[LottieFile]>([])

    /// Returns the cached file for a path and contents, or a new one.
    static func cached(_ path: String, _ bytes: [UInt8]) -> LottieFile {
        recent.withLock { recent in
            let index = recent.firstIndex { $0.path == path && $0.bytes == bytes }
            let file = index.map { recent.remove(at: $0) } ?? LottieFile(path, bytes)
            recent = [file] + recent.prefix(maxFiles - 1)
            return file
        }
    }

    // MARK: The loader

    /// Returns the loader in the file. Throws `ParameterError` with a description of the problem if
    /// the file is invalid or, unless `isLenient`, uses an unsupported feature.
    func loader(_ variant: Variant, isLenient: Bool) throws(ParameterError) -> any Loader {
        // Cached files are not opened again, but they are still inputs.
        FilesInUse.noteInputs([path])
        let result = parseResult(variant)
        if !isLenient { try rejectUnsupported(result.unsupported) }
        return try result.loader.get()
    }

    private func parseResult(_ variant: Variant) -> ParseResult {
        if let known = parseResults.withLock({ $0[variant] }), known.images.allSatisfy(\.isCurrent) {
            FilesInUse.noteInputs(known.images.map(\.path))
            return known
        }
        let result = read(variant)
        // An image that cannot be read now may be readable later, although its file is unchanged.
        if case .failure = result.loader, !result.images.isEmpty { return result }
        parseResults.withLock { parseResults in
            if parseResults.count >= Self.maxParseResults { parseResults.removeAll() }
            parseResults[variant] = result
        }
        return result
    }

    private func read(_ variant: Variant) -> ParseResult {
        var images: ImageLog?
        var unsupported: [UnsupportedFeature] = []
        let loader = Result { () throws(ParameterError) -> LottieLoader in
            do {
                let (json, files, ids) = try contents(animation: variant.animation)
                images = files.log
                let animation = try Animation(
                    json.with(variant.values), files: files, subframes: variant.subframes, font: variant.font,
                    hasStrictFonts: variant.hasStrictFonts, easing: variant.easing)
                unsupported = animation.unsupported
                var loader = LottieLoader(
                    animation, id: name.singleLine(atMost: 100), title: title.singleLine(atMost: 100),
                    subframes: variant.subframes, archive: ids)
                // Other values of layers cost as much as the file's own.
                if variant.values.isEmpty { try loader.checkRenderCost() }
                loader.reader = { [weak self] change in
                    var variant = variant
                    change(&variant)
                    return (try? self?.read(variant).loader.get())
                }
                loader.values = { json.layerValues }
                return loader
            } catch {
                let isOutOfMemory = (error as? LottieError)?.isOutOfMemory == true
                throw ParameterError(
                    isOutOfMemory ? .memory : .data, "\(path): \(error)", subjects: [.file(path)])
            }
        }
        return ParseResult(loader: loader, unsupported: unsupported, images: images?.entries ?? [])
    }

    /// Throws one error with a line for each unsupported feature, if there are any.
    private func rejectUnsupported(_ features: [UnsupportedFeature]) throws(ParameterError) {
        guard !features.isEmpty else { return }
        var lines = features.lines { "\($0) is not supported" }.map { "\(path): \($0)" }
        let unsupported = features.count == 1 ? "this feature" : "these features"
        lines.append(
            "\(path): to draw it without \(unsupported), pass \(commandOption: "lenient"), or set lenient: true in a "
                + "preset")
        throw ParameterError(.data, lines[0], subjects: [.file(path)], related: Array(lines.dropFirst()))
    }

    private var isArchive: Bool { Archive.isArchive(bytes) }

    private func contents(animation: String) throws -> (JSON, AssetFiles, ids: [String]) {
        guard !isArchive else {
            let archive = try Archive(bytes)
            let found = try archive.animation(animation)
            return (try JSON(parsing: found.bytes), AssetFiles(folder: nil, packed: archive.files), found.ids)
        }
        guard animation.isEmpty else {
            throw LottieError(
                "animation: the file is no .lottie archive, so \(quoted(animation)) cannot be chosen; leave animation "
                    + "out"
            )
        }
        let text = Gzip.isCompressed(bytes) ? try Gzip.decompressed(bytes) : bytes
        return (try JSON(parsing: text), AssetFiles(folder: path.directoryPart), [])
    }

    // MARK: The fingerprint

    /// Returns a hash of the file and of the external images that it draws. Throws `ParameterError`
    /// if an image cannot be read.
    func fingerprint() throws(ParameterError) -> String {
        FilesInUse.noteInputs([path])
        do {
            let own = try ownHash()
            let images = try drawnImages().filter { $0.identity != nil }.map { image in
                try InputHash.file(image.path, maxBytes: LottieLimits.maxImageBytes)
            }
            return images.isEmpty ? own : try SHA256.hash(Array(([own] + images).joined(separator: " ").utf8))
        } catch {
            let error = error as? FFmpegError
            throw ParameterError(
                error?.isOutOfMemory == true ? .memory : .data, "\(path): \(error?.description ?? "it cannot be read")",
                subjects: [.file(path)])
        }
    }

    private func ownHash() throws(FFmpegError) -> String {
        if let known = cachedHash.withLock({ $0 }) { return known }
        let own = try SHA256.hash(bytes)
        cachedHash.withLock { $0 = own }
        return own
    }

    /// Returns the external images that the animation draws, which do not depend on the variant. A
    /// file that cannot be drawn has none, because it is rejected before anything is rendered.
    private func drawnImages() -> [ImageLog.Entry] {
        guard !isArchive else { return [] }
        func cachedImages() -> [ImageLog.Entry]? {
            parseResults.withLock { parseResults in
                parseResults.values.first { parseResult in
                    (try? parseResult.loader.get()) != nil && parseResult.images.allSatisfy(\.isCurrent)
                }?.images
            }
        }
        if let images = cachedImages() { return images }
        _ = parseResult(Variant(animation: "", subframes: .auto))
        return cachedImages() ?? []
    }
}
