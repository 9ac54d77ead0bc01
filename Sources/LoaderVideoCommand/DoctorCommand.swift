import ArgumentParser
import Core
import Media
import Raster
import Render

/// `loadervid doctor`: examines this machine.
struct DoctorCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor", abstract: "List this machine's versions, encoders, fonts, memory and cores.",
            discussion: """
                EXAMPLES
                  \(Program.name) doctor
                  \(Program.name) doctor --json
                """)
    }

    @Flag(help: "Print JSON.")
    var json = false

    private struct Report: Encodable {
        struct Encoder: Encodable {
            var codec: String
            var encoder: String
            var opens: Bool
            var reason: String?
            var alpha: Bool
        }

        struct Script: Encodable {
            var name: String
            /// The font that draws it; nil if none does.
            var font: String?
            var remedy: String?
        }

        var version: String
        var ffmpeg: String
        var libraries: [String: String]
        var encoders: [Encoder]
        var fonts: [String]
        var scripts: [Script]
        var cores: Int
        var memory: Int
    }

    func run() throws {
        let report = DoctorCommand.examine()
        if json {
            printJSON(try jsonText(report))
        } else {
            printText(DoctorCommand.text(report))
        }
        let missing = report.encoders.filter { !$0.opens && ["h264", "vp9"].contains($0.codec) }.map(\.encoder)
        guard missing.isEmpty else {
            throw LoadervidError(
                .unavailable,
                "\(missing.joined(separator: " and ")) cannot be opened; install an FFmpeg with "
                    + "\(missing.count == 1 ? "it" : "them")"
            )
        }
        guard !report.fonts.isEmpty else {
            throw LoadervidError(.unavailable, "no fonts found; install some, for example fonts-dejavu-core")
        }
    }

    private static func examine() -> Report {
        let versions = TextSystem.versions
        var libraries = ["cairo": versions.cairo, "pango": versions.pango]
        for library in FFmpegVersions.libraries { libraries[library.name] = library.version }
        let encoders = CodecProfile.listed.map { name, profile in
            let problem = DoctorCommand.problem(of: profile)
            return Report.Encoder(
                codec: name, encoder: profile.encoder, opens: problem == nil, reason: problem,
                alpha: profile.pixelFormats.contains(where: \.hasAlpha))
        }
        return Report(
            version: Loadervid.version, ffmpeg: FFmpegVersions.ffmpeg, libraries: libraries, encoders: encoders,
            fonts: TextSystem.fontFamilies(), scripts: scripts(), cores: Resources.processors, memory: Resources.memory)
    }

    /// Returns the scripts that captions and titles need, and the fonts that draw them.
    private static func scripts() -> [Report.Script] {
        [
            ("Latin", "Aa 0-9 \u{2192}\u{2212}", "fonts-dejavu-core"),
            ("Chinese", "\u{9636}\u{6bb5}", "fonts-wqy-microhei"),
            ("emoji", "\u{1F389}", "fonts-noto-color-emoji"),
        ].map { name, sample, package in
            let font = TextSystem.family(drawing: sample, isColored: name == "emoji")
            return Report.Script(
                name: name, font: font, remedy: font == nil ? "install \(package), or pass --font-dir" : nil)
        }
    }

    /// Returns the reason why an encoder cannot be used; nil if it can.
    private static func problem(of profile: CodecProfile) -> String? {
        do {
            let traits = profile.traits
            if traits.minOpeningBytes > 0 { try Headroom.check(memory: traits.minOpeningBytes, for: profile.encoder) }
            try Headroom.check(threads: traits.maxStartedThreads ?? 0, for: profile.encoder)
        } catch { return LoadervidError(error).description }
        return profile.problem()?.reason
    }

    private static func text(_ report: Report) -> String {
        let libraries = report.libraries.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        let encoders = report.encoders.map { encoder -> [String] in
            // x265 has supported alpha since 4.0, and FFmpeg's encoder for it since 7.1.
            let note =
                encoder.codec == "hevc" && !encoder.alpha ? ", without alpha (needs x265 4.0 and FFmpeg 7.1)" : ""
            return [encoder.codec, encoder.encoder, encoder.opens ? "opens" + note : encoder.reason ?? "does not open"]
        }
        let shown = report.fonts.prefix(6).joined(separator: ", ") + (report.fonts.count > 6 ? ", ..." : "")
        let head = "\(Loadervid.versionLine), FFmpeg \(report.ffmpeg)"
        let machine =
            "\(report.cores) \(report.cores == 1 ? "core" : "cores"), \(Summary.bytes(report.memory)) of memory"
        return
            ([head, "libraries"] + Table.lines(libraries) + ["encoders"] + Table.lines(encoders)
            + ["fonts", "    \(report.fonts.count) families: \(shown)", "text"]
            + Table.lines(report.scripts.map { [$0.name, $0.font ?? "cannot be drawn; \($0.remedy ?? "")"] })
            + ["machine", "    \(machine)"])
            .joined(separator: "\n")
    }
}
