import Foundation
import TestSupport
import Testing

/// A temporary directory in which tests make clips and run the program.
struct VerificationFixture {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func file(_ name: String) -> String { directory.file(name) }

    /// Runs the program in the directory.
    func run(_ arguments: [String]) throws -> Outcome {
        try Subprocess(builtProgram, arguments, directory: directory).wait()
    }

    /// Encodes a clip, which must succeed. Returns its path.
    @discardableResult
    func encode(_ arguments: String, to name: String) throws -> String {
        let command =
            ["encode"] + arguments.split(separator: " ").map(String.init) + ["--progress", "none", "-o", name]
        let outcome = try run(command)
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
        return file(name)
    }

    /// Runs ffmpeg in the directory, which must succeed.
    func ffmpeg(_ arguments: [String]) throws {
        let outcome = try Subprocess("ffmpeg", ["-v", "error", "-y"] + arguments, directory: directory).wait()
        try #require(outcome.code == 0, "\(arguments): \(outcome.errorText)")
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: file(name))) }

    /// Returns the results of `verify` for some files.
    func verify(_ arguments: String...) throws -> Verdict { try verify(arguments) }

    /// Returns the results of `verify` with some arguments.
    func verify(_ arguments: [String]) throws -> Verdict {
        let outcome = try run(["verify", "--json"] + arguments)
        var verdict = Verdict(code: outcome.code, errors: outcome.errorLines)
        if !outcome.output.isEmpty {
            verdict.files = try JSONDecoder().decode(Verdict.Report.self, from: Data(outcome.output)).files
        }
        return verdict
    }
}

/// The JSON of `verify`, as far as tests need it.
struct Verdict {
    struct Report: Decodable { var files: [File] }
    struct File: Decodable {
        var file: String
        var isRight: Bool
        var container: String?
        var codec: String?
        var width: Int?
        var frames: Int?
        var rate: Double?
        var duration: Double?
        var plays: Int?
        var alpha: Alpha?
        var findings: [Finding]
    }
    struct Alpha: Decodable {
        var isUsed: Bool
        var kind: String?
    }
    struct Finding: Decodable {
        var id: String
        var severity: String
        var frame: Int?
        var time: Double?
        var message: String
    }

    var code: Int32
    var errors: [String]
    var files: [File] = []

    /// The ids of all errors.
    var wrong: Set<String> { Set(files.flatMap(\.findings).filter { $0.severity == "error" }.map(\.id)) }
    /// The ids of all findings.
    var all: Set<String> { Set(files.flatMap(\.findings).map(\.id)) }
}

/// The formats in which ffmpeg, instead of this program, encodes decoded frames.
enum Format: String, CaseIterable, Sendable {
    case mp4, webm, gif, apng, webp

    var name: String { self == .apng ? "clip.png" : "clip.\(rawValue)" }
    var isAnimatedImage: Bool { [.gif, .apng, .webp].contains(self) }

    /// The filters after the one that changes the frames.
    var filter: String {
        switch self {
        case .mp4, .webm: ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        case .gif: ",split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none"
        case .apng, .webp: ",format=rgba"
        }
    }

    var options: [String] {
        let tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
        switch self {
        case .mp4: return ["-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"] + tags
        case .webm: return ["-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0", "-cpu-used", "8"] + tags
        case .gif: return ["-loop", "0"]
        case .apng: return ["-f", "apng", "-plays", "0", "-pred", "none"]
        case .webp: return ["-c:v", "libwebp_anim", "-lossless", "1", "-loop", "0"]
        }
    }
}
