import Analysis
import Annotations
import Documents
import Loaders
import Media
import Motion
import Pipeline

/// Turns a YAML document into a script, and notes everything that is not of its form.
struct ScriptReader: NodeReading {
    static let keys = ["tutorial", "title", "set", "motion", "steps", "checks", "description"]
    /// Keys of all steps besides their own.
    static let stepKeys = ["say", "show", "chapter"]

    let file: String
    let limits: DocumentLimits
    var problems: [DocumentProblem] = []
    var isClean = true
    /// Files that were read, by their paths.
    var sources: [String: [UInt8]] = [:]
    /// Letters of all texts so far.
    private var letterCount = 0
    /// The loader that the script is about, once it is known.
    private(set) var definition: LoaderDefinition?
    private(set) var loader: (any Loader)?
    /// How many recordings were read: each takes a while.
    private var recordings = 0
    /// The languages that texts are given in, by name or by their letters.
    private(set) var languages: (named: Set<Language>, written: Set<Language>) = ([], [])

    init(file: String, limits: DocumentLimits) { (self.file, self.limits) = (file, limits) }

    /// What a script consists of, before it has its sources.
    mutating func script(_ root: YAMLNode) -> TutorialScript? {
        let pairs = mapping(root, "a tutorial", Self.keys)
        guard let loader = loader(pairs, root.location) else { return nil }
        guard let pair = pairs["steps"], case .sequence(let nodes) = pair.value.content, !nodes.isEmpty else {
            note(
                pairs["steps"]?.value.location ?? root.location, "the tutorial shows nothing",
                expected: "'steps' with a list of steps", found: pairs["steps"]?.value.found ?? "none")
            return nil
        }
        guard nodes.count <= TutorialScript.mostSteps else {
            note(
                pair.key.location, "the tutorial has too many steps", expected: "at most \(TutorialScript.mostSteps)",
                found: "\(nodes.count)")
            return nil
        }
        let steps = nodes.compactMap { step($0) }
        let checks = pairs["checks"].map { list($0.value).compactMap { check($0) } } ?? []
        let title =
            pairs["title"].flatMap { words($0.value, "the title") }
            ?? Words(loader.definition.title, at: root.location)
        var script = TutorialScript(
            file: file, loader: loader, title: title, steps: steps, checks: checks, sources: [:])
        let given = languages.named.isEmpty ? languages.written : languages.named
        script.languages = Language.allCases.filter { given.isEmpty ? $0 == .en : given.contains($0) }
        return script
    }

    // MARK: The loader

    private mutating func loader(_ pairs: [String: NodePair], _ place: SourceLocation) -> LoaderRequest? {
        guard let pair = pairs["tutorial"] else {
            note(place, "the tutorial names no loader", expected: "'tutorial: ' and the id of a loader", found: "none")
            return nil
        }
        guard let id = text(pair.value, "'tutorial'", expected: "the id of a loader") else { return nil }
        var request: LoaderRequest
        let isFile = LoaderCatalog.current.isFile(id)
        guard let name = isFile ? pathBeside(pair.value, "'tutorial'") : id else { return nil }
        do throws(ParameterError) {
            let definition = try LoaderCatalog.current.definition(name)
            request = LoaderRequest(definition)
            if isFile { sources[name] = Array((try definition.contents?() ?? "").utf8) }
        } catch {
            if isFile {
                note(error, at: pair.value.location)
                return nil
            }
            note(
                pair.value.location, "there is no such loader", expected: choice(id, of: LoaderCatalog.current.ids),
                found: quoted(id))
            return nil
        }
        definition = request.definition
        request.settings = pairs["set"].map { settings($0.value) } ?? []
        if let pair = pairs["motion"] { request.motion = motion(pair.value) }
        do { self.loader = try LoaderCanvas(request).loader } catch {
            let place = (pairs["set"] ?? pairs["motion"] ?? pair).value.location
            note(place, RenderError(error).description, expected: "settings that fit", found: "others")
            return nil
        }
        return request
    }

    /// `smooth` or `ticks`.
    mutating func motion(_ node: YAMLNode) -> String? {
        guard let word = text(node, "'motion'", expected: "smooth or ticks") else { return nil }
        if ["smooth", "ticks"].contains(word) { return word }
        note(node.location, "'motion' is not possible", expected: "smooth or ticks", found: quoted(word))
        return nil
    }

    /// Parameters as `key=value`. Pictures stay below the script's folder.
    mutating func settings(_ node: YAMLNode) -> [String] {
        guard let definition else { return [] }
        return mapping(node, "'set'", definition.parameters.map(\.name)).sorted { $0.key < $1.key }.compactMap {
            name, pair in
            guard let value = text(pair.value, "'\(name)'", expected: "a value") else { return nil }
            guard definition.isPath(value, for: name) else { return "\(name)=\(value)" }
            return picture(pair.value, "'\(name)'").map { "\(name)=\($0)" }
        }
    }

    /// The path of a picture beside the script, which may be as large as pictures are.
    private mutating func picture(_ node: YAMLNode, _ what: String) -> String? {
        guard let path = pathBeside(node, what) else { return nil }
        do {
            sources[path] = Array(try SHA256.file(path).hash.utf8)
            return path
        } catch {
            note(error, at: node.location)
            return nil
        }
    }

    // MARK: Steps

    private mutating func step(_ node: YAMLNode) -> (any TutorialStep)? {
        guard case .mapping(let all) = node.content else {
            note(node.location, "a step is not of its form", expected: "such as 'play: 3'", found: node.found)
            return nil
        }
        let names = all.compactMap(\.key.text)
        guard let kind = TutorialScript.stepKinds.first(where: { names.contains($0.key) }) else {
            let kinds = TutorialScript.stepKinds.map { $0.key }
            note(
                node.location, "a step says not what it is",
                expected: names.first.map { choice($0, of: kinds) } ?? "one of \(kinds.joined(separator: ", "))",
                found: names.first.map(quoted) ?? node.found)
            return nil
        }
        let known = [kind.key] + kind.keys + Self.stepKeys
        let pairs = mapping(node, "a step '\(kind.key)'", known)
        guard let own = pairs[kind.key] else { return nil }
        if let pair = pairs["show"], isListed(StepShared.construction, in: pair.value),
            loader?.landmarks(at: .zero).isEmpty ?? false
        {
            note(
                pair.value.location, "'\(definition?.id ?? "")' has no construction",
                expected: "one of \(StepShared.overlays.map(\.rawValue).sorted().joined(separator: ", "))",
                found: quoted(StepShared.construction))
        }
        let shared = StepShared(
            show: pairs["show"].map { shown($0.value) },
            showsConstruction: pairs["show"].map { isListed(StepShared.construction, in: $0.value) } ?? false,
            namesObjects: pairs["show"].map { isListed(AnnotationKind.labels.rawValue, in: $0.value) } ?? false,
            say: pairs["say"].map { said($0.value) } ?? [],
            chapter: pairs["chapter"].flatMap { words($0.value, "'chapter'") },
            location: node.location)
        return kind.init(StepSource(value: own.value, pairs: pairs, shared: shared), &self)
    }

    private func isListed(_ word: String, in node: YAMLNode) -> Bool { list(node).contains { $0.text == word } }

    /// What is drawn over the stage.
    private mutating func shown(_ node: YAMLNode) -> Set<AnnotationKind> {
        let known = StepShared.overlays.map(\.rawValue).sorted() + [StepShared.construction]
        var kinds: Set<AnnotationKind> = []
        for item in list(node) {
            guard let word = text(item, "'show'", expected: "one of \(known.joined(separator: ", "))") else { continue }
            if word == StepShared.construction {
                kinds.insert(.labels)
            } else if let kind = AnnotationKind(rawValue: word), StepShared.overlays.contains(kind) {
                kinds.insert(kind)
            } else {
                note(item.location, "'show' is not possible", expected: choice(word, of: known), found: quoted(word))
            }
        }
        return kinds
    }

    private mutating func said(_ node: YAMLNode) -> [Words] { list(node).compactMap { words($0, "'say'") } }

    private mutating func check(_ node: YAMLNode) -> TutorialScript.Check? {
        guard let claim = text(node, "a check", expected: "a claim such as phases == 6") else { return nil }
        do throws(FactProblem) {
            return TutorialScript.Check(claim: try FactExpression(claim), location: node.location)
        } catch {
            note(node.location, error.what, expected: error.expected, found: quoted(error.found))
            return nil
        }
    }

    /// A recording of the loader, aligned with it in time and place.
    mutating func recording(_ node: YAMLNode, _ alignment: Recording.Alignment?) -> Recording? {
        guard let loader, let path = pathBeside(node, "'video'") else { return nil }
        recordings += 1
        guard recordings <= TutorialScript.mostRecordings else {
            note(
                node.location, "there are too many recordings", expected: "at most \(TutorialScript.mostRecordings)",
                found: "more")
            return nil
        }
        do {
            let recording = try Recording(path: path, of: loader, alignment: alignment)
            sources[path] = Array(try SHA256.file(path).hash.utf8)
            return recording
        } catch {
            let canBeAligned = alignment == nil && RenderError(error).kind == .badData
            note(
                error, at: node.location,
                wayOut: canBeAligned ? "; 'start', in seconds of the loader, aligns it by hand" : "")
            return nil
        }
    }

    /// Notes that a file which the script names cannot be taken.
    private mutating func note(_ error: any Error, at location: SourceLocation, wayOut: String = "") {
        var problem = DocumentProblem(location, RenderError(error).description + wayOut)
        problem.isMissingFile = RenderError(error).kind == .missingInput
        problems.append(problem)
        isClean = false
    }

    // MARK: Texts

    /// A text, or one for each language.
    mutating func words(_ node: YAMLNode, _ what: String) -> Words? {
        guard case .mapping = node.content else {
            guard let spoken = spoken(node, what) else { return nil }
            languages.written.insert(Language(ofText: node.text ?? ""))
            return Words(
                texts: Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, spoken) }), location: node.location
            )
        }
        var texts: [Language: Words.Spoken] = [:]
        for (key, pair) in mapping(node, what, Language.allCases.map(\.rawValue)) {
            guard let language = Language(rawValue: key) else { continue }
            languages.named.insert(language)
            texts[language] = spoken(pair.value, what)
        }
        return texts.isEmpty ? nil : Words(texts: texts, location: node.location)
    }

    private mutating func spoken(_ node: YAMLNode, _ what: String) -> Words.Spoken? {
        guard let given = text(node, what) else { return nil }
        // Lines are broken where there is room for them, whatever lines the script has.
        let text = given.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else {
            note(node.location, "\(what) is empty", expected: "a text", found: quoted(given))
            return nil
        }
        guard text.count <= TutorialScript.mostLetters else {
            note(
                node.location, "\(what) is too long", expected: "at most \(TutorialScript.mostLetters) letters",
                found: "\(text.count)")
            return nil
        }
        letterCount += text.count
        guard letterCount <= TutorialScript.mostLettersInAll else {
            // Said once, however many more there are.
            if letterCount - text.count <= TutorialScript.mostLettersInAll {
                note(
                    node.location, "there is too much text",
                    expected: "at most \(TutorialScript.mostLettersInAll) letters in all", found: "more up to here")
            }
            return nil
        }
        do throws(FactProblem) {
            return Words.Spoken(template: try TextTemplate(text), location: node.location)
        } catch {
            note(node.location, error.what, expected: error.expected, found: quoted(error.found))
            return nil
        }
    }
}

extension Words {
    /// A text of the program's own, as if it stood at a place.
    init(_ text: LocalizedText, at location: SourceLocation) {
        let pairs = Language.allCases.compactMap { language -> (Language, Spoken)? in
            // Such texts have no facts to look up.
            guard let template = try? TextTemplate(text.text(in: language)) else { return nil }
            return (language, Spoken(template: template, location: location))
        }
        self.init(texts: Dictionary(uniqueKeysWithValues: pairs), location: location)
    }
}
