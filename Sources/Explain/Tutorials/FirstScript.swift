import Render
import Core
import Animations
import Raster

/// A starter script of a lesson about any loader, made from its phases and objects, for the author
/// to extend.
package struct FirstScript {
    private let definition: LoaderDefinition
    private let loader: any Loader
    /// The path of the loader's file in the script; nil if the loader does not come from a file.
    private let file: String?
    private let title: LocalizedText

    /// A script about a loader with default settings. Throws `ParameterError` if the loader cannot
    /// be made.
    ///
    /// - Parameter file: the path of the loader's file in the script; nil if the loader does not
    ///   come from a file.
    package init(_ definition: LoaderDefinition, file: String? = nil) throws(ParameterError) {
        let loader = try definition.make()
        self.definition = definition
        self.file = file
        self.loader = loader
        title = Self.plain(try file == nil ? loader.title : Self.title(ofFile: loader))
    }

    /// Returns the path of a file relative to the script's directory. The file must be in or below
    /// it.
    ///
    /// Throws `LoadervidError` with a remedy if the script cannot name the file.
    ///
    /// - Parameter script: the path of the script.
    package static func name(of file: String, inScript script: String) throws -> String {
        let folders = [script, file].map { path -> [UInt8] in
            let directory = DocumentFile.directory(path)
            return FileSystem.resolved(directory.isEmpty ? "." : directory)
        }
        let slash = UInt8(ascii: "/")
        let top = folders[0] == [slash] ? [] : folders[0]
        let folder = folders[1]
        let own = DocumentFile.directory(file)
        let beside = "\(own)\(DocumentFile.stem(file)).yaml"
        guard folder == folders[0] || folder.starts(with: top + [slash]) else {
            throw LoadervidError(
                .usage,
                "\(file) is outside the script's directory, and a script names files in its directory or below; "
                    + "use -o \(beside)")
        }
        let below = folder == folders[0] ? [] : Array(folder.dropFirst(top.count + 1)) + [slash]
        guard let path = String(validating: below, as: UTF8.self) else {
            throw LoadervidError(.usage, "\(file): a directory's name is not UTF-8; use -o \(beside)")
        }
        let name = path + String(decoding: file.utf8.dropFirst(own.utf8.count), as: UTF8.self)
        if let problem = FileName.problem(of: name) {
            throw LoadervidError(
                .usage,
                "\(file): a script takes \(problem.expected), found \(problem.found); rename the file or directory")
        }
        guard DocumentFile.path(of: name, beside: script) != nil else {
            throw LoadervidError(
                .usage,
                "\(file) is a link out of the script's directory, which a script does not follow; name its target")
        }
        return name
    }

    /// The script as YAML.
    package var text: String {
        """
        # A lesson about \((file ?? definition.id).visible): change the words, leave out steps, add your own.
        tutorial: \(YAMLText.scalar(file ?? definition.id))
        title: \(yaml(title))
        steps:
        \(steps.map { "  - " + $0.joined(separator: "\n    ") }.joined(separator: "\n"))
        # What the words rely on: rendering fails if it is no longer so.
        checks:
          - phases == \(loader.phases.count)
          - period == \(exact(loader.period))

        """
    }

    /// Maximum width of a title made from a file's name, in halves of a lowercase letter. It fits
    /// in the narrowest layout's four lines.
    private static let maxTitleWidth = 60
    /// Maximum width of a word of such a title: ten W or sixteen n fit in a line of the narrowest
    /// layout.
    private static let maxWordWidth = 30

    /// Returns the title of a file's loader, cut to characters of installed fonts and to a length
    /// that fits every layout; a generic title if no character remains.
    private static func title(ofFile loader: any Loader) throws(ParameterError) -> LocalizedText {
        let gauge: TextGauge
        do { gauge = try TextGauge() } catch { throw ParameterError(.memory, error.description) }
        let drawable = loader.title.text(in: .en).filter { character in
            let text = Text(String(character), frame: Rect(size: Size(0, 0)), fontSize: 12, color: .black)
            return gauge.missingCharacter(in: text) == nil
        }
        guard drawable.contains(where: { !$0.isWhitespace }) else {
            return LocalizedText("A loading animation", zh: "加载动画")
        }
        return LocalizedText(fitted(drawable))
    }

    /// Returns a title cut to the maximum width, with spaces in words that are too wide for a line.
    /// Lines may break anywhere in Chinese and similar scripts.
    private static func fitted(_ title: String) -> String {
        var result = ""
        var total = 0
        var word = 0
        for character in title {
            let isIdeograph = character.unicodeScalars.contains { $0.value >= 0x2E80 }
            let isNarrow = character.isLowercase && character != "m" && character != "w" || character.isNumber
            let width = isIdeograph ? 4 : isNarrow ? 2 : 3
            word = isIdeograph || character.isWhitespace ? 0 : word + width
            if word > maxWordWidth {
                result += " "
                word = width
                total += 2
            }
            total += width
            guard total <= maxTitleWidth else { break }
            result.append(character)
        }
        return result
    }

    /// Returns a text without `{{`, which begins a fact in a script.
    private static func plain(_ text: LocalizedText) -> LocalizedText {
        func spaced(_ text: String) -> String {
            text.reduce(into: "") { result, character in
                result += character == "{" && result.last == "{" ? " {" : "\(character)"
            }
        }
        return LocalizedText(spaced(text.text(in: .en)), zh: spaced(text.text(in: .zh)))
    }

    // MARK: Steps

    private var steps: [[String]] {
        let all: [[String]?] = [
            ["title: 2.5"], play(say: true), slow, phases, freeze, build, table, chart, play(say: false),
        ]
        return all.compactMap { $0 }
    }

    private var objects: [MovingObject] { loader.objects(at: .zero) }

    /// Returns a `play` step of about three seconds, in whole cycles.
    private func play(say: Bool) -> [String] {
        let cycles = max(1, (Rational(3) / loader.period).rounded)
        let words = LocalizedText(
            "This is how it looks: one cycle takes {{period}} s.", zh: "原速播放：一个周期 {{period}} 秒。")
        return ["play: \(cycles)"] + (say ? ["say: \(yaml(words))"] : [])
    }

    /// The slow-motion factor at which a cycle takes about ten seconds, 2...20.
    private var slowmo: Int { min(20, max(2, (Rational(10) / loader.period).rounded)) }

    private var slow: [String] {
        let words = LocalizedText(
            "\(slowmo) times slower. It has {{phases}} \(loader.phases.count == 1 ? "phase" : "phases").",
            zh: "放慢 \(slowmo) 倍，共有 {{phases}} 个阶段。")
        return ["slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [trail, vectors]"]) + ["say: \(yaml(words))"]
    }

    private var phases: [String]? {
        let phases = loader.phases
        guard phases.count > 1 else { return nil }
        let texts = phases.map { phase in
            let name = Self.plain(phase.name)
            let words = LocalizedText(
                "\(name.text(in: .en)): {{phase.duration}} s",
                zh: "\(name.text(in: .zh))：{{phase.duration}} 秒")
            return "  - \(yaml(words))"
        }
        return ["phases: all", "slow: \(slowmo)"] + (objects.isEmpty ? [] : ["show: [ghosts, vectors, labels]"]) + [
            "say:"
        ]
            + texts
    }

    private var freeze: [String]? {
        guard !objects.isEmpty else { return nil }
        let points = objects.prefix(2).map { "  \(YAMLText.literal($0.name)): \(yaml(Self.plain($0.title)))" }
        let middle = loader.phases.count / 2
        return ["freeze: phase:\(middle)+1/2", "point:"] + points
    }

    private var build: [String]? {
        guard loader.landmarks(at: .zero).count > 1 else { return nil }
        return ["build: all", "slow: \(slowmo)"]
    }

    private var table: [String]? {
        if PhaseTable(loader).displacements != nil { return ["table: displacement", "slow: \(slowmo)"] }
        return loader.phases.count > 1 ? ["table: phases", "slow: \(slowmo)"] : nil
    }

    private var chart: [String]? { objects.isEmpty ? nil : ["chart: all", "slow: \(slowmo)"] }

    // MARK: YAML

    /// Returns a text as a YAML value: a scalar, or a mapping of languages if the texts differ.
    private func yaml(_ text: LocalizedText) -> String {
        let (en, zh) = (text.text(in: .en), text.text(in: .zh))
        return en == zh ? YAMLText.literal(en) : "{en: \(YAMLText.literal(en)), zh: \(YAMLText.literal(zh))}"
    }

    /// Returns an exact number in the syntax of checks.
    private func exact(_ number: Rational) -> String {
        number.denominator == 1 ? "\(number.numerator)" : "\(number.numerator) / \(number.denominator)"
    }
}
