import Loaders
import Media
import Platform

/// Lottie files as loaders: JSON, and dotLottie's archives.
public enum LottieFiles {
    /// Files that a catalogue with this kind takes for loaders.
    public static let kind = LoaderCatalog.FileKind(suffixes: [".json", ".lottie"]) {
        (path) throws(ParameterError) in try definition(path)
    }

    private static let subframes = Parameter.choice(
        "subframes", Subframes.auto, "What is shown between two frames: motion but no jumps, all of it, or nothing")
    private static let leniency = Parameter<Bool>(
        "lenient", false, defaultText: "false", limits: "true or false",
        summary: "Whether an animation is drawn without what is not supported"
    ) { text, _ in text == "true" ? true : text == "false" ? false : nil }
    private static let animation = Parameter<String>(
        "animation", "", defaultText: "first", limits: "the id of an animation of a .lottie file",
        summary: "Which animation of an archive"
    ) { text, _ in text == "first" ? "" : text }

    /// The loader in a file. Throws if it cannot be read; what is wrong in it is said when the loader is made.
    static func definition(_ path: String) throws(ParameterError) -> LoaderDefinition {
        let bytes = try read(path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let title = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        var definition = LoaderDefinition(
            id: path, title: LocalizedText(title), parameters: [subframes, leniency, animation]
        ) { (values) throws(ParameterError) in
            do {
                let (json, files, ids) = try contents(bytes, path, animation: values[animation])
                let read = try Animation(json, files: files, subframes: values[subframes])
                if !values[leniency] { try refuse(read.unsupported, path) }
                let loader = LottieLoader(
                    read, id: name.plain(atMost: 100), title: title.plain(atMost: 100), subframes: values[subframes],
                    archive: ids)
                try loader.checkWork()
                return loader
            } catch let error as ParameterError { throw error } catch {
                throw ParameterError(.data, "\(path): \(error)", about: [.file(path)])
            }
        }
        definition.contents = { () throws(ParameterError) in
            do throws(FFmpegError) { return try hash(bytes, path) } catch {
                throw ParameterError(.memory, error.description)
            }
        }
        return definition
    }

    /// A hash of a file and of the pictures that it takes from its folder.
    private static func hash(_ bytes: [UInt8], _ path: String) throws(FFmpegError) -> String {
        let own = try SHA256.hash(bytes)
        guard !Archive.isArchive(bytes), let json = try? JSON(parsing: bytes) else { return own }
        let pictures = AssetFiles(folder: folder(of: path)).hashes(Field(json, log: ReadingLog()))
        return pictures.isEmpty ? own : try SHA256.hash(Array(([own] + pictures).joined(separator: " ").utf8))
    }

    /// Throws a line for each feature that is not supported, if there are any.
    private static func refuse(_ features: [UnsupportedFeature], _ path: String) throws(ParameterError) {
        guard !features.isEmpty else { return }
        var lines = features.prefix(LottieLimits.mostRefusals).map { "\(path): \($0) is not supported" }
        if features.count > lines.count { lines.append("\(path): and \(features.count - lines.count) more") }
        lines.append("\(path) can be drawn without \(features.count == 1 ? "this" : "these"): --lenient")
        throw ParameterError(.data, lines[0], about: [.file(path)], others: Array(lines.dropFirst()))
    }

    private static func contents(
        _ bytes: [UInt8], _ path: String, animation: String
    ) throws -> (JSON, AssetFiles, ids: [String]) {
        guard !Archive.isArchive(bytes) else {
            let archive = try Archive(bytes)
            let found = try archive.animation(animation)
            return (try JSON(parsing: found.bytes), AssetFiles(folder: nil, packed: archive.files), found.ids)
        }
        guard animation.isEmpty else {
            throw LottieError("there is no animation '\(animation)': the file is one animation, and no archive of them")
        }
        return (try JSON(parsing: bytes), AssetFiles(folder: folder(of: path)), [])
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    private static func read(_ path: String) throws(ParameterError) -> [UInt8] {
        do throws(FFmpegError) {
            let file = try InputFile(path: path)
            guard file.byteCount <= LottieLimits.fileBytes else {
                throw FFmpegError(
                    code: -EFBIG, operation: "read \(path)",
                    reason: "it has more than \(LottieLimits.fileBytes) bytes, which is much for an animation")
            }
            return try file.bytes(at: 0, count: file.byteCount)
        } catch {
            let isMissing = error.code == -ENOENT || error.code == -ENOTDIR
            let what = isMissing ? "there is no animation '\(path)'" : "'\(path)' cannot be read (\(error.reason))"
            throw ParameterError(isMissing ? .missingFile : .data, what, about: [.file(path)])
        }
    }
}
