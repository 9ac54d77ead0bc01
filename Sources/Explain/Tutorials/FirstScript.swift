import Animations
import Core
import Raster
import Render

/// A starter script of a lesson about any loader, made from its phases and objects, for the author
/// to extend.
package struct FirstScript {
    private let definition: LoaderDefinition
    private let loader: any Loader
    /// The path of the loader's file in the script; nil if the loader does not come from a file.
    private let file: String?
    private var title: LocalizedText
    private let steps: [[String]]
    /// The indices of the steps that do not fit.
    private var dropped: [Int] = []

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
        let fonts = try DrawableText()
        title = file == nil ? loader.title : Self.title(ofFile: loader, fonts)
        steps = FirstScriptSteps(loader, fonts).steps
    }

    /// Returns the path of a file relative to the script's directory. The file must be in or below
    /// it.
    ///
    /// Throws `LoadervidError` with a remedy if the script cannot name the file.
    ///
    /// - Parameter script: the path of the script.
    package static func name(of file: String, inScript script: String) throws -> String {
        let folders = [script, file].map { path -> [UInt8] in
            let directory = path.directoryPart
            return FileSystem.resolved(directory.isEmpty ? "." : directory)
        }
        let slash = UInt8(ascii: "/")
        let top = folders[0] == [slash] ? [] : folders[0]
        let folder = folders[1]
        let own = file.directoryPart
        let beside = "\(own)\(DocumentFile.stem(file)).yaml"
        guard folder == folders[0] || folder.starts(with: top + [slash]) else {
            throw LoadervidError(
                .usage,
                "\(file) is outside the script's directory, and a script names files in its directory or below; "
                    + "\(Hint.otherScript) \(beside)")
        }
        let below = folder == folders[0] ? [] : Array(folder.dropFirst(top.count + 1)) + [slash]
        guard let path = String(validating: below, as: UTF8.self) else {
            throw LoadervidError(.usage, "\(file): a directory's name is not UTF-8; \(Hint.otherScript) \(beside)")
        }
        let name = path + String(decoding: file.utf8.dropFirst(own.utf8.count), as: UTF8.self)
        if let problem = FileName.problem(of: name) {
            throw LoadervidError(
                .usage,
                "\(file) \(problem.problem) in a script; rename the file or its directory"
                    + (problem.remedy.map { ": \($0)" } ?? ""))
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
        # A lesson about \((file ?? definition.id).visible): change the texts, remove steps, add your own.
        tutorial: \(YAMLText.scalar(file ?? definition.id))
        title: \(YAMLText.message(title))
        steps:
        \(keptSteps.map { "  - " + steps[$0].joined(separator: "\n    ") }.joined(separator: "\n"))
        # The texts rely on these facts: the lesson is refused if one no longer holds.
        checks:
          - phases == \(loader.phases.count)
          - period == \(loader.period.exactText)

        """
    }

    /// The line of the title in the script, counted from 1.
    private static let titleLine = 3
    /// The line of the first step, counted from 1.
    private static let firstStepLine = 5

    /// The indices of the steps in the script.
    private var keptSteps: [Int] { steps.indices.filter { !dropped.contains($0) } }

    /// The lines of each step in the script.
    private var stepLines: [ClosedRange<Int>] {
        var line = Self.firstStepLine
        return keptSteps.map { index in
            defer { line += steps[index].count }
            return line...line + steps[index].count - 1
        }
    }

    /// Returns the script without the steps that do not fit some language or shape, for example
    /// because an object has a long name.
    ///
    /// - Parameter file: the path of the script, beside which its files are.
    package func text(checkedAs file: String) -> String {
        var script = self
        for _ in 0...steps.count {
            let text = script.text
            let problems = Self.problems(of: text, file: file)
            let lines = Set(problems.compactMap { $0.location?.line })
            let faulty = script.stepLines.indices.filter { !lines.isDisjoint(with: script.stepLines[$0]) }
            if lines.contains(Self.titleLine) { script.title = Self.genericTitle }
            guard lines.contains(Self.titleLine) || !faulty.isEmpty else { return text }
            script.dropped += faulty.map { script.keptSteps[$0] }
        }
        return script.text
    }

    /// Returns the problems of a script in all languages and shapes.
    private static func problems(of text: String, file: String) -> [DocumentProblem] {
        let script: TutorialScript
        do { script = try TutorialScript(Array(text.utf8), file: file) } catch { return error.problems }
        return (try? script.problems()) ?? []
    }

    // MARK: Titles

    /// Maximum width of a title made from a file's name, in halves of a lowercase letter. It fits
    /// in the narrowest layout's two lines.
    private static let maxTitleWidth = 60
    /// Maximum width of a word of such a title: ten W or sixteen n fit in a line of the narrowest
    /// layout.
    private static let maxWordWidth = 30
    private static let genericTitle = LocalizedText("A loading animation", zh: "加载动画")

    /// Returns the title of a file's loader, with the characters that installed fonts have and a
    /// length that fits every layout; a generic title if no character remains.
    private static func title(ofFile loader: any Loader, _ fonts: DrawableText) -> LocalizedText {
        let words = fonts.drawable(loader.title.text(in: .en)).map { "-_.".contains($0) ? " " : $0 }
            .split(separator: " ").map { String($0) }.joined(separator: " ")
        guard !words.isEmpty else { return genericTitle }
        let name = fitted(words.prefix(1).uppercased() + words.dropFirst())
        let english = name + ", step by step"
        let chinese = name + "：一步一步看"
        let fits = fitted(english) == english && fitted(chinese) == chinese
        return fits ? LocalizedText(english, zh: chinese) : LocalizedText(name, zh: name)
    }

    /// Returns a title cut to the maximum width, with spaces in words that are too wide for a line.
    /// Lines may break anywhere in Chinese and similar scripts.
    private static func fitted(_ title: String) -> String {
        var result = ""
        var total = 0
        var word = 0
        for character in title {
            let isNarrow = character.isLowercase && character != "m" && character != "w" || character.isNumber
            let width = character.isWide ? 4 : isNarrow ? 2 : 3
            word = character.isWide || character.isWhitespace ? 0 : word + width
            if word > maxWordWidth {
                result += " "
                word = width
                total += 2
            }
            total += width
            guard total <= maxTitleWidth else { break }
            result.append(character)
        }
        while result.last == " " { result.removeLast() }
        return result
    }
}

extension YAMLText {
    /// Returns a text as a YAML value: a scalar, or a mapping of languages if the texts differ.
    static func message(_ text: LocalizedText) -> String {
        let en = text.text(in: .en)
        let zh = text.text(in: .zh)
        return en == zh ? YAMLText.literal(en) : "{en: \(YAMLText.literal(en)), zh: \(YAMLText.literal(zh))}"
    }
}

/// A filter for texts from files: removes what scripts or installed fonts cannot show.
struct DrawableText {
    private let gauge: TextGauge

    /// Throws `ParameterError` if memory for measuring text is exhausted.
    init() throws(ParameterError) {
        do { gauge = try TextGauge() } catch { throw ParameterError(.memory, error.description) }
    }

    /// Returns a text without characters that no font has, and without `{`, which begins a fact.
    func drawable(_ text: String) -> String {
        text.filter { character in
            let sample = Text(String(character), frame: Rect(size: Size(0, 0)), fontSize: 12, color: .black)
            return character != "{" && gauge.missingCharacter(in: sample) == nil
        }
    }
}
