import Animations
import Core
import Inspect
import Media
import Render

/// A reader of scripts from YAML that records every problem.
struct ScriptReader: NodeReading {
    static let keys = ["tutorial", "title", "set", "motion", "steps", "checks", "poster", "names", "description"]
    /// The keys that every kind of step has.
    static let stepKeys = ["say", "show", "chapter", "frame"]

    let file: String
    let limits: DocumentLimits
    var problems: [DocumentProblem] = []
    var isClean = true
    /// The contents or hashes of the files that were read, by path.
    var sources: [String: [UInt8]] = [:]
    /// The number of characters in all texts so far.
    var characterCount = 0
    /// The definition of the script's loader; nil until it is read.
    private(set) var definition: LoaderDefinition?
    /// The script's loader; nil until it is made.
    private(set) var loader: (any Loader)?
    /// The number of recordings so far. They are limited, since each takes seconds to analyse.
    private var recordings = 0
    /// The languages of the texts: those that keys name, and those of texts without keys.
    var languages: (named: Set<Language>, written: Set<Language>) = ([], [])

    init(file: String, limits: DocumentLimits) {
        self.file = file
        self.limits = limits
    }

    /// Reads a script, without its sources; nil if it has no loader or no valid list of steps.
    mutating func script(_ root: YAMLNode) -> TutorialScript? {
        let pairs = mapping(root, "a tutorial", Self.keys)
        guard let loader = loader(pairs, root.location) else { return nil }
        guard let pair = pairs["steps"], case .sequence(let nodes) = pair.value.content, !nodes.isEmpty else {
            report(
                pairs["steps"]?.value.location ?? root.location, "the tutorial has no steps",
                remedy: "add 'steps' with a list of steps", found: pairs["steps"]?.value.found)
            return nil
        }
        guard nodes.count <= TutorialScript.maxSteps else {
            report(
                pair.key.location, "the tutorial has \(nodes.count) steps",
                remedy: "use at most \(TutorialScript.maxSteps)")
            return nil
        }
        let steps = nodes.compactMap { step($0) }
        let checks = pairs["checks"].map { list($0.value).compactMap { check($0) } } ?? []
        let title =
            pairs["title"].flatMap { message($0.value, "the title") }
            ?? LocalizedMessage(loader.definition.title, at: root.location)
        var script = TutorialScript(
            file: file, loader: loader, title: title, steps: steps, checks: checks, sources: [:])
        script.poster = pairs["poster"].flatMap { pair in
            number(pair.value, "'poster'", 0...TutorialScript.maxDuration, unit: "seconds").map {
                TutorialScript.Poster(time: $0, location: pair.value.location)
            }
        }
        script.names = pairs["names"].map { names($0.value) } ?? [:]
        let used = languages.named.isEmpty ? languages.written : languages.named
        script.languages = Language.allCases.filter { used.isEmpty ? $0 == .en : used.contains($0) }
        return script
    }

    // MARK: The loader

    private mutating func loader(_ pairs: [String: NodePair], _ location: SourceLocation) -> LoaderRequest? {
        guard let pair = pairs["tutorial"] else {
            report(
                location, "the tutorial names no loader", remedy: "add 'tutorial: ' and the id of a loader")
            return nil
        }
        guard let id = text(pair.value, "'tutorial'", form: "the id of a loader") else { return nil }
        var request: LoaderRequest
        let isFile = LoaderCatalog.current.isFile(id)
        guard let name = isFile ? pathBeside(pair.value, "'tutorial'") : id else { return nil }
        do throws(ParameterError) {
            let definition = try LoaderCatalog.current.definition(name)
            request = LoaderRequest(definition)
            if isFile { sources[name] = Array((try definition.contents?() ?? "").utf8) }
        } catch {
            if isFile {
                report(error, at: pair.value.location)
                return nil
            }
            report(
                pair.value.location, "there is no loader \(quoted(id))",
                remedy: choice(id, of: LoaderCatalog.current.ids))
            return nil
        }
        definition = request.definition
        request.settings = pairs["set"].map { settings($0.value) } ?? []
        if let pair = pairs["motion"] { request.motion = motion(pair.value) }
        do { self.loader = try LoaderRenderer(request).loader } catch {
            let settingLocation = (pairs["set"] ?? pairs["motion"] ?? pair).value.location
            problems.append(DocumentProblem(settingLocation, LoadervidError(error).description))
            isClean = false
            return nil
        }
        return request
    }

    /// Reads `smooth` or `ticks`.
    mutating func motion(_ node: YAMLNode) -> String? {
        guard let word = text(node, "'motion'", form: "smooth or ticks") else { return nil }
        if ["smooth", "ticks"].contains(word) { return word }
        report(node.location, "'motion' is invalid", remedy: "use smooth or ticks", found: quoted(word))
        return nil
    }

    /// Reads parameters and returns them as `key=value`. Images must be in or below the script's
    /// directory.
    mutating func settings(_ node: YAMLNode) -> [String] {
        guard let definition else { return [] }
        return mapping(node, "'set'", definition.parameters.map(\.name)).sorted { $0.key < $1.key }.compactMap {
            name, pair in
            guard let value = text(pair.value, quoted(name), form: "a value") else { return nil }
            guard definition.isPath(value, for: name) else { return "\(name)=\(value)" }
            return image(pair.value, quoted(name)).map { "\(name)=\($0)" }
        }
    }

    /// Returns the path of an image in or below the script's directory. The size limit is that of
    /// images, not of documents.
    private mutating func image(_ node: YAMLNode, _ subject: String) -> String? {
        guard let path = pathBeside(node, subject) else { return nil }
        do {
            let maxBytes = Bitmap.maxFileBytes(pixels: Bitmap.maxPixels)
            sources[path] = Array(try InputHash.file(path, maxBytes: maxBytes).utf8)
            return path
        } catch {
            report(error, at: node.location)
            return nil
        }
    }

    // MARK: Steps

    private mutating func step(_ node: YAMLNode) -> (any TutorialStep)? {
        guard case .mapping(let all) = node.content else {
            report(node.location, "a step is malformed", remedy: "write it like 'play: 3'", found: node.found)
            return nil
        }
        let names = all.compactMap(\.key.text)
        guard let kind = TutorialScript.stepKinds.first(where: { names.contains($0.key) }) else {
            let kinds = TutorialScript.stepKinds.map { $0.key }
            report(
                node.location, names.first.map { "unknown step \(quoted($0))" } ?? "the step has no name",
                remedy: choice(names.first ?? "", of: kinds), found: names.isEmpty ? node.found : nil)
            return nil
        }
        let known = [kind.key] + kind.keys + Self.stepKeys
        let pairs = mapping(node, "the step '\(kind.key)'", known)
        guard let own = pairs[kind.key] else { return nil }
        if let pair = pairs["show"], isListed(StepOptions.construction, in: pair.value),
            loader?.landmarks(at: .zero).isEmpty ?? false
        {
            report(
                pair.value.location, "\(quoted(definition?.id ?? "")) has no construction",
                remedy: "use one of \(StepOptions.overlays.map(\.rawValue).sorted().joined(separator: ", "))")
        }
        let options = StepOptions(
            show: pairs["show"].map { shown($0.value) },
            showsConstruction: pairs["show"].map { isListed(StepOptions.construction, in: $0.value) } ?? false,
            namesObjects: pairs["show"].map { isListed(AnnotationKind.labels.rawValue, in: $0.value) } ?? false,
            narration: pairs["say"].map { narration($0.value) } ?? [],
            chapter: pairs["chapter"].flatMap { message($0.value, "'chapter'") },
            frame: pairs["frame"].map { cameraFrame($0.value) } ?? .motion, location: node.location)
        return kind.init(StepSource(value: own.value, pairs: pairs, options: options), &self)
    }

    /// Reads the part of the canvas to show: `motion`, `canvas`, or the name of an object or point.
    private mutating func cameraFrame(_ node: YAMLNode) -> CameraFrame {
        let targets = (loader?.objects(at: .zero).map(\.name) ?? []) + (loader?.landmarks(at: .zero).map(\.name) ?? [])
        let known = CameraFrame.names + targets
        guard let word = text(node, "'frame'", form: "one of \(known.joined(separator: ", "))") else {
            return .motion
        }
        if !known.contains(word) {
            report(node.location, "'frame' is invalid", remedy: choice(word, of: known), found: quoted(word))
        }
        return CameraFrame(word)
    }

    private func isListed(_ word: String, in node: YAMLNode) -> Bool { list(node).contains { $0.text == word } }

    /// Reads the annotations over the canvas.
    private mutating func shown(_ node: YAMLNode) -> Set<AnnotationKind> {
        let known = StepOptions.overlays.map(\.rawValue).sorted() + [StepOptions.construction]
        var kinds: Set<AnnotationKind> = []
        for item in list(node) {
            guard let word = text(item, "'show'", form: "one of \(known.joined(separator: ", "))") else { continue }
            if word == StepOptions.construction {
                kinds.insert(.labels)
            } else if let kind = AnnotationKind(rawValue: word), StepOptions.overlays.contains(kind) {
                kinds.insert(kind)
            } else {
                report(item.location, "'show' is invalid", remedy: choice(word, of: known), found: quoted(word))
            }
        }
        return kinds
    }

    private mutating func narration(_ node: YAMLNode) -> [LocalizedMessage] {
        list(node).compactMap { message($0, "'say'") }
    }

    private mutating func check(_ node: YAMLNode) -> TutorialScript.Check? {
        guard let claim = text(node, "a check", form: "a comparison such as phases == 6") else { return nil }
        do throws(ValueProblem) {
            return TutorialScript.Check(claim: try FactExpression(claim), location: node.location)
        } catch {
            report(node.location, error)
            return nil
        }
    }

    /// Reads a recording of the loader and aligns it with the loader in time and position.
    mutating func recording(_ node: YAMLNode, _ alignment: RecordedClip.Alignment?) -> RecordedClip? {
        guard let loader, let path = pathBeside(node, "'video'") else { return nil }
        recordings += 1
        guard recordings <= TutorialScript.maxRecordings else {
            report(
                node.location, "too many recordings", remedy: "use at most \(TutorialScript.maxRecordings)")
            return nil
        }
        do {
            let recording = try RecordedClip(path: path, of: loader, alignment: alignment)
            sources[path] = Array(try InputHash.file(path, maxBytes: TutorialScript.maxRecordingBytes).utf8)
            return recording
        } catch {
            let canBeAligned = alignment == nil && LoadervidError(error).kind == .badData
            report(
                error, at: node.location,
                hint: canBeAligned ? "; 'start', in seconds of the loader, aligns it by hand" : "")
            return nil
        }
    }

    /// Records that a file named in the script cannot be used.
    private mutating func report(_ error: any Error, at location: SourceLocation, hint: String = "") {
        var problem = DocumentProblem(location, LoadervidError(error).description + hint)
        problem.isMissingFile = LoadervidError(error).kind == .missingInput
        report(problem)
    }
}
