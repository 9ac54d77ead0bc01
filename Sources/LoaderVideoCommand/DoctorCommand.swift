import ArgumentParser
import Core
import Media
import Render
import Raster

/// `loadervid doctor`: examines this machine.
struct DoctorCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor", abstract: "List versions, working encoders, fonts and cores of this machine.",
            discussion: """
                EXAMPLES
                  \(Program.name) doctor
                  \(Program.name) doctor --json
                """)
    }

    @Flag(help: "Print JSON.")
    var json = false

    private struct Findings: Encodable {
        struct Encoder: Encodable {
            var codec: String
            var encoder: String
            var opens: Bool
            var reason: String?
            var alpha: Bool
        }

        var version: String
        var ffmpeg: String
        var libraries: [String: String]
        var encoders: [Encoder]
        var fonts: [String]
        var cores: Int
        var memory: Int
    }

    func run() throws {
        let findings = DoctorCommand.examine()
        if json {
            printJSON(try jsonText(findings))
        } else {
            printText(DoctorCommand.text(findings))
        }
        let missing = findings.encoders.filter { !$0.opens && ["h264", "vp9"].contains($0.codec) }.map(\.encoder)
        guard missing.isEmpty else {
            throw LoadervidError(
                .unavailable, "\(missing.joined(separator: " and ")) cannot be opened; install an FFmpeg that has it")
        }
        guard !findings.fonts.isEmpty else {
            throw LoadervidError(.unavailable, "no fonts found; install some, for example fonts-dejavu-core")
        }
    }

    private static func examine() -> Findings {
        let versions = TextSystem.versions
        var libraries = ["cairo": versions.cairo, "pango": versions.pango]
        for library in FFmpegVersions.libraries { libraries[library.name] = library.version }
        let encoders = CodecProfile.all.map { name, profile in
            let problem = DoctorCommand.problem(of: profile)
            return Findings.Encoder(codec: name, encoder: profile.encoder, opens: problem == nil, reason: problem,
                alpha: profile.pixelFormats.contains(where: \.hasAlpha))
        }
        return Findings(
            version: Loadervid.version, ffmpeg: FFmpegVersions.ffmpeg, libraries: libraries, encoders: encoders,
            fonts: TextSystem.fontFamilies(), cores: Resources.processors, memory: Resources.memory)
    }

    /// The reason why an encoder cannot be used; nil if it can.
    private static func problem(of profile: CodecProfile) -> String? {
        do {
            let traits = profile.traits
            if traits.minOpeningBytes > 0 { try Headroom.check(memory: traits.minOpeningBytes, for: profile.encoder) }
            try Headroom.check(threads: traits.maxStartedThreads ?? 0, for: profile.encoder)
        } catch { return LoadervidError(error).description }
        return profile.problem()?.reason
    }

    private static func text(_ findings: Findings) -> String {
        let libraries = findings.libraries.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        let encoders = findings.encoders.map { encoder -> [String] in
            // x265 has alpha since 4.0, FFmpeg's encoder for it since 7.1.
            let note = encoder.codec == "hevc" && !encoder.alpha ? ", without alpha (needs x265 4.0 and FFmpeg 7.1)" : ""
            return [encoder.codec, encoder.encoder, encoder.opens ? "opens" + note : encoder.reason ?? "does not open"]
        }
        let shown = findings.fonts.prefix(6).joined(separator: ", ") + (findings.fonts.count > 6 ? ", ..." : "")
        let head = "\(Loadervid.versionLine), FFmpeg \(findings.ffmpeg)"
        let machine =
            "\(findings.cores) \(findings.cores == 1 ? "core" : "cores"), \(Summary.bytes(findings.memory)) of memory"
        return
            ([head, "libraries"] + Table.lines(libraries) + ["encoders"] + Table.lines(encoders)
            + ["fonts", "    \(findings.fonts.count) families: \(shown)", "machine", "    \(machine)"])
            .joined(separator: "\n")
    }
}
