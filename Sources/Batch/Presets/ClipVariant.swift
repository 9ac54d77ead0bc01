import Animations
import Core
import Explain
import Media
import Render

/// One combination of a clip's matrix.
struct ClipVariant {
    let preset: String
    let source: PresetClipSource
    let options: LocatedOptions
    let axes: [String]
    let limits: PresetLimits
    /// The directory of the shipped presets; nil for none.
    let shipped: String?

    /// The outputs; an MP4 file if the preset has none.
    var outputs: [OutputSource] {
        let mp4 = LocatedValue(text: Container.mp4.rawValue, key: source.location, value: source.location)
        return source.outputs ?? [OutputSource(location: source.location, format: mp4)]
    }

    /// A description of the combination, for messages; empty if there is only one.
    var label: String {
        let values = axes.compactMap { key in options[key]?.text.map { "\(key) \($0)" } }
        return values.isEmpty ? "" : " (with \(values.joined(separator: ", ")))"
    }

    /// Returns a description of one option of the combination, for messages.
    func text(of key: String) -> String { "\(key) \(quoted(options[key]?.text ?? "null"))" }

    /// The location of the clip's name.
    var nameLocation: SourceLocation { source.name?.value ?? source.location }

    /// Returns an output with its path and plan, or all its problems.
    func planned(_ output: OutputSource) -> Result<(name: String, output: PresetOutput), DocumentError> {
        switch attempt(output) {
        case .success(let made): named(output, made)
        case .failure(let error): .failure(error)
        }
    }

    /// Returns the problems of an output in a clip with rejected parts, except those that follow
    /// from the rejected parts.
    func problems(of output: OutputSource) -> [DocumentProblem] {
        if case .failure(let error) = attempt(output) { error.problems } else { [] }
    }

    /// Returns an output without a path, or all problems that prevent it.
    private func attempt(_ output: OutputSource) -> Result<PresetOutput, DocumentError> {
        var options = output.options.inheriting(options).filter { $0.value.text != nil }
        // An option that depends on a rejected one may be valid with the intended value.
        for key in source.rejected.union(output.rejected).flatMap(OptionRegistry.current.dependents) {
            options[key] = nil
        }
        for key in source.unverifiable { options[key] = nil }
        var problems: [DocumentProblem] = []
        // Records the problem of one option and leaves the option out, to find the problems of
        // others.
        while true {
            do {
                let made = try made(options, output)
                guard problems.isEmpty else { return .failure(DocumentError(problems: problems)) }
                return .success(made)
            } catch let error as DocumentError {
                // Problems of a lesson's script have their own locations.
                return .failure(DocumentError(problems: problems + error.problems))
            } catch {
                let error = LoadervidError(error)
                guard let key = ErrorAttribution.key(of: error, among: options) else {
                    if problems.isEmpty, source.unverifiable.isEmpty {
                        problems.append(problem(error, output.location))
                    }
                    return .failure(DocumentError(problems: problems))
                }
                problems.append(problem(error, options[key]?.key ?? output.location))
                let dependents = OptionRegistry.current.dependents(of: key)
                for key in [key] + dependents + ErrorAttribution.parameters(of: error) { options[key] = nil }
            }
        }
    }

    private func problem(_ error: LoadervidError, _ location: SourceLocation) -> DocumentProblem {
        var problem = DocumentProblem(location, error.description)
        problem.isMissingFile = error.kind == .missingInput
        // These errors are not caused by the preset.
        if [.internal, .inputOutput].contains(error.kind) { problem.systemKind = error.kind }
        return problem
    }

    /// Returns an output with a plan and without a path. Throws `LoadervidError` or `DocumentError`
    /// for its first problem.
    private func made(_ options: LocatedOptions, _ output: OutputSource) throws -> PresetOutput {
        guard let format = output.format?.text.flatMap(ClipFormat.init(name:)) else {
            throw LoadervidError(.internal, "a clip without a format")
        }
        if let tutorial = options["tutorial"] { return try lesson(tutorial, format, options, output) }
        guard let id = options["loader"]?.text else { throw LoadervidError(.internal, "a clip without a loader") }
        if let key = ["captions", "transitions"].first(where: { options[$0] != nil }) {
            throw LoadervidError(.usage, "\(key) need a lesson; leave them out", subjects: .options(key))
        }
        var request = RenderRequest(loader: try LoaderRequest(id: id), container: .mp4)
        request.encoding.format = format
        for (key, given) in options.sorted(by: { $0.key < $1.key }) where key.hasPrefix("set.") {
            guard let text = given.text else { continue }
            request.loader.settings.append(try setting(String(key.dropFirst(4)), text, given, of: id))
        }
        try OptionRegistry.current.apply(resolvingPaths(in: options), to: &request)
        request.loader.maxImagePixels = limits.imagePixels
        let loader = try LoaderRenderer(request.loader).loader
        try request.checkSize(of: loader, maxFrames: limits.frames, hint: ", or raise \(commandOption: "max-frames")")
        return try PresetOutput(
            path: "", request: request, location: output.location, options: options.compactMapValues(\.text))
    }

    /// Returns a parameter as `key=value`; a path is relative to the file that names it.
    private func setting(_ name: String, _ text: String, _ given: LocatedValue, of id: String) throws -> String {
        let isPath = try LoaderCatalog.current.definition(id).isPath(text, for: name)
        let isRelative = text.utf8.first != UInt8(ascii: "/")
        return "\(name)=" + (isPath && isRelative ? given.value.file.directoryPart + text : text)
    }

    /// Returns the values of options, with paths resolved relative to the file that names them.
    /// Throws `LoadervidError` for a path outside that file's directory.
    func resolvingPaths(in options: LocatedOptions) throws -> [String: String] {
        var texts = options.compactMapValues(\.text)
        for option in OptionRegistry.current.options {
            guard case .file = option.valueKind, let text = texts[option.key], let given = options[option.key] else {
                continue
            }
            guard let path = DocumentFile.path(of: text, beside: given.value.file) else {
                throw LoadervidError(
                    .usage,
                    "\(option.key) \(text) is outside the preset's directory; name a file in it or below",
                    subjects: .options(option.key))
            }
            texts[option.key] = path
        }
        return texts
    }

    // MARK: Names

    private func named(
        _ output: OutputSource, _ made: PresetOutput
    ) -> Result<(name: String, output: PresetOutput), DocumentError> {
        var values = nameValues(made)
        let format = made.request.encoding.format
        do throws(DocumentError) {
            let subject = options["tutorial"] == nil ? "loader" : "tutorial"
            let name = try Self.filled(
                Self.template(source.name) ?? .defaultTemplate(subject, axes: axes), with: values, key: "'name'",
                at: nameLocation)
            values["format"] = format.name
            var named = made
            if let file = Self.template(output.file) {
                named.path = try Self.filled(
                    file, with: values, key: "'file'", at: output.file?.value ?? output.location)
            } else {
                let path = format.fileName(stem: name + (output.suffix?.text ?? ""))
                named.path = try Self.filled(
                    NameTemplate(parts: [.text(path)]), with: values, key: "'suffix'",
                    at: output.suffix?.value ?? nameLocation)
            }
            if let problem = PresetOutput.patternProblem(of: named.path, container: made.request.container) {
                throw DocumentError(problems: [DocumentProblem(output.file?.value ?? output.location, problem)])
            }
            return .success((name, named))
        } catch { return .failure(error) }
    }

    /// Returns the values of the placeholders in an output's name.
    private func nameValues(_ made: PresetOutput) -> [String: String] {
        var values = NameTemplate.defaultValues
        values["preset"] = preset
        // A parameter takes precedence over an option with the same name.
        for (key, text) in made.options where !key.hasPrefix("set.") { values[key] = text }
        for (key, text) in made.options where key.hasPrefix("set.") { values[String(key.dropFirst(4))] = text }
        if let name = values["loader"], LoaderCatalog.current.isFile(name) {
            values["loader"] = DocumentFile.stem(name)
        }
        values["fps"] = made.options["fps"] ?? OptionRegistry.current["fps"]?.format(made.request)
        if let script = options["tutorial"]?.text {
            values["tutorial"] = DocumentFile.stem(script)
            values["loader"] = made.request.loader.definition.id
        }
        values["size"] = "\(made.plan.width)x\(made.plan.height)"
        return values
    }

    private static func template(_ given: LocatedValue?) -> NameTemplate? {
        given?.text.flatMap { try? NameTemplate.parse($0).get() }
    }

    /// Returns a valid path from a template. Throws `DocumentError` for a placeholder without a
    /// value or an invalid path.
    private static func filled(
        _ template: NameTemplate, with values: [String: String], key: String, at location: SourceLocation
    ) throws(DocumentError) -> String {
        let problem: ValueProblem
        switch template.filled(with: values) {
        case .failure(let missing): problem = missing
        case .success(let path):
            guard let refusal = FileName.problem(of: path) else { return path }
            problem = refusal
        }
        throw DocumentError(problems: [
            DocumentProblem(location, subject: "\(key) ", problem)
        ])
    }
}

/// The attribution of an error to the options of a preset that caused it.
enum ErrorAttribution {
    /// Returns the key of the first given option among the error's subjects; nil if there is none.
    static func key(of error: LoadervidError, among options: LocatedOptions) -> String? {
        error.subjects.lazy.compactMap(key).first { options[$0] != nil }
    }

    /// Returns the keys of the parameters among the error's subjects. These do not fit together,
    /// but their default values do.
    static func parameters(of error: LoadervidError) -> [String] {
        error.subjects.compactMap { if case .parameter = $0 { key(of: $0) } else { nil } }
    }

    private static func key(of subject: ErrorSubject) -> String? {
        switch subject {
        case .option(let key): key
        case .parameter(let name): "set." + name
        case .file: nil
        }
    }
}
