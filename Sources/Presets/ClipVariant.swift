import Documents
import Loaders
import Media
import Pipeline

/// One combination of a clip's matrix.
struct ClipVariant {
    let preset: String
    let source: ClipSource
    let options: GivenOptions
    let axes: [String]
    let limits: PresetLimits
    /// Where shipped presets are.
    let shipped: String?

    /// What is made if the preset does not say.
    var outputs: [OutputSource] {
        let mp4 = Given(text: Container.mp4.rawValue, key: source.location, value: source.location)
        return source.outputs ?? [OutputSource(location: source.location, format: mp4)]
    }

    /// Which combination it is, for messages; empty if there is only one.
    var label: String {
        let values = axes.compactMap { key in options[key]?.text.map { "\(key) \($0)" } }
        return values.isEmpty ? "" : " (with \(values.joined(separator: ", ")))"
    }

    /// Where the clip's name comes from.
    var place: SourceLocation { source.name?.value ?? source.location }

    /// An output with its path and plan, or all that keeps it from being made.
    func planned(_ output: OutputSource) -> Result<(name: String, output: PresetOutput), DocumentError> {
        var options = options.merging(output.options) { $1 }.filter { $0.value.text != nil }
        var problems: [DocumentProblem] = []
        // What is wrong with one option is noted and the option left out, to find what is wrong with the others.
        while true {
            do {
                let made = try made(options, output)
                guard problems.isEmpty else { return .failure(DocumentError(problems: problems)) }
                return named(output, made)
            } catch let error as DocumentError {
                // What is wrong with a script has places of its own.
                return .failure(DocumentError(problems: problems + error.problems))
            } catch {
                let error = RenderError(error)
                guard let key = PresetBlame.key(of: error, among: options) else {
                    if problems.isEmpty { problems.append(problem(error, output.location)) }
                    return .failure(DocumentError(problems: problems))
                }
                problems.append(problem(error, options[key]?.key ?? output.location))
                let dependents = OptionRegistry.current.dependents(of: key)
                for key in [key] + dependents + PresetBlame.parameters(of: error) { options[key] = nil }
            }
        }
    }

    private func problem(_ error: RenderError, _ place: SourceLocation) -> DocumentProblem {
        var problem = DocumentProblem(place, error.description)
        problem.isMissingFile = error.kind == .missingInput
        // Not the file's fault.
        if [.internal, .inputOutput].contains(error.kind) { problem.systemKind = error.kind }
        return problem
    }

    /// An output that has a plan, and no path yet.
    private func made(_ options: GivenOptions, _ output: OutputSource) throws -> PresetOutput {
        guard let container = output.format?.text.flatMap(Container.init(rawValue:)) else {
            throw RenderError(.internal, "a clip without a format")
        }
        if let tutorial = options["tutorial"] { return try lesson(tutorial, container, options, output) }
        guard let id = options["loader"]?.text else { throw RenderError(.internal, "a clip without a loader") }
        if options["captions"] != nil {
            throw RenderError(.usage, "captions are what lessons have: leave them out", about: .options("captions"))
        }
        var request = RenderRequest(loader: try LoaderRequest(id: id), container: container)
        for (key, given) in options.sorted(by: { $0.key < $1.key }) where key.hasPrefix("set.") {
            guard let text = given.text else { continue }
            request.loader.settings.append(try setting(String(key.dropFirst(4)), text, given, of: id))
        }
        try OptionRegistry.current.apply(placed(options), to: &request)
        request.loader.mostPicturePixels = limits.picturePixels
        let loader = try LoaderCanvas(request.loader).loader
        try request.checkSize(of: loader, mostFrames: limits.frames, hint: ", or raise --max-frames")
        return try PresetOutput(
            path: "", request: request, location: output.location, options: options.compactMapValues(\.text))
    }

    /// A parameter as `key=value`; a path is relative to the file that names it.
    private func setting(_ name: String, _ text: String, _ given: Given, of id: String) throws -> String {
        let isPath = try LoaderCatalog.current.definition(id).isPath(text, for: name)
        let isRelative = text.utf8.first != UInt8(ascii: "/")
        return "\(name)=" + (isPath && isRelative ? DocumentFile.directory(given.value.file) + text : text)
    }

    /// The texts of options, in which paths are relative to the file that names them. Throws `RenderError` for one that leads
    /// out of its folder.
    func placed(_ options: GivenOptions) throws -> [String: String] {
        var texts = options.compactMapValues(\.text)
        for option in OptionRegistry.current.options {
            guard case .file = option.form, let text = texts[option.key], let given = options[option.key] else {
                continue
            }
            guard let path = DocumentFile.path(of: text, beside: given.value.file) else {
                throw RenderError(
                    .usage,
                    "\(option.key) \(text) leads out of the preset's folder: name a file beside the preset, or below",
                    about: .options(option.key))
            }
            texts[option.key] = path
        }
        return texts
    }

    // MARK: Names

    private func named(
        _ output: OutputSource, _ made: PresetOutput
    ) -> Result<(name: String, output: PresetOutput), DocumentError> {
        var values = NameTemplate.standardValues
        values["preset"] = preset
        // A parameter that is called as an option is, such as color, comes before it.
        for (key, text) in made.options where !key.hasPrefix("set.") { values[key] = text }
        for (key, text) in made.options where key.hasPrefix("set.") { values[String(key.dropFirst(4))] = text }
        if let name = values["loader"], LoaderCatalog.current.isFile(name) {
            values["loader"] = DocumentFile.stem(name)
        }
        values["fps"] = made.options["fps"] ?? OptionRegistry.current["fps"]?.write(made.request)
        if let script = options["tutorial"]?.text {
            (values["tutorial"], values["loader"]) = (DocumentFile.stem(script), made.request.loader.definition.id)
        }
        values["size"] = "\(made.plan.width)x\(made.plan.height)"
        func fill(_ template: NameTemplate, _ what: String, _ place: SourceLocation) throws(DocumentError) -> String {
            let problem: NameTemplate.Problem
            switch template.filled(with: values) {
            case .failure(let missing): problem = missing
            case .success(let path):
                guard let refusal = FileName.problem(of: path) else { return path }
                problem = refusal
            }
            throw DocumentError(problems: [
                DocumentProblem(place, "\(what) \(problem.what)", expected: problem.expected, found: problem.found)
            ])
        }
        func template(_ given: Given?) -> NameTemplate? {
            given?.text.flatMap { try? NameTemplate.parse($0).get() }
        }
        do throws(DocumentError) {
            let name = try fill(
                template(source.name) ?? .standard(options["tutorial"] == nil ? "loader" : "tutorial", axes: axes),
                "'name'", place)
            let format = made.request.container.rawValue
            var path = "\(name)\(output.suffix?.text ?? "").\(format)"
            values["format"] = format
            if let file = template(output.file) {
                path = try fill(file, "'file'", output.file?.value ?? output.location)
            } else {
                let plain = NameTemplate(parts: [.text(path)])
                path = try fill(plain, "'suffix'", output.suffix?.value ?? place)
            }
            var named = made
            named.path = path
            return .success((name, named))
        } catch { return .failure(error) }
    }
}

/// Finds the option that an error is about.
enum PresetBlame {
    /// The key of the option to blame, if one is given.
    static func key(of error: RenderError, among options: GivenOptions) -> String? {
        error.about.lazy.compactMap(key).first { options[$0] != nil }
    }

    /// The keys of parameters that do not fit together: with their defaults they do.
    static func parameters(of error: RenderError) -> [String] {
        error.about.compactMap { if case .parameter = $0 { key(of: $0) } else { nil } }
    }

    private static func key(of topic: Topic) -> String? {
        switch topic {
        case .option(let key): key
        case .parameter(let name): "set." + name
        case .file: nil
        }
    }
}
