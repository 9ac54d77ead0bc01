import Animations
import Core
import Explain
import Media
import Render

/// A reader that converts a YAML document to a preset and collects all problems.
struct PresetSourceReader: NodeReading {
    /// The keys of a preset file.
    static let fileKeys = ["name", "description", "extends", "defaults", "clips"]
    /// The keys of a clip besides the options of `encode`. All except `matrix` can have defaults.
    static let clipKeys = ["name", "loader", "tutorial", "set", "outputs", "matrix"]
    /// The keys of an output besides the encoding options.
    static let outputKeys = ["format", "file", "suffix"]
    /// The value of `loader` for all loaders.
    static let allLoaders = "all"

    let file: String
    var problems: [DocumentProblem] = []
    /// True if no problem was recorded since this was last set to true. Code that appends to
    /// `problems` must set it to false; `note` does.
    var isClean = true

    init(file: String) { self.file = file }

    // MARK: Files

    mutating func preset(_ root: YAMLNode, stem: String) -> PresetSource {
        var source = PresetSource(
            file: file, name: FileName.plain(stem), defaults: PresetClipSource(location: root.location),
            clipsLocation: root.location)
        let pairs = mapping(root, "a preset", Self.fileKeys)
        if let value = pairs["name"]?.value, let text = text(value, "the preset's name") {
            if FileName.plain(text) == text {
                source.name = text
            } else {
                report(
                    value.location, "the preset's name cannot be part of a path",
                    remedy: "use letters, digits, '-', '_' and '.'", found: quoted(text))
            }
        }
        if let value = pairs["description"]?.value { source.summary = text(value, "the description") ?? "" }
        if let pair = pairs["extends"] {
            source.parents = list(pair.value).compactMap { given(pair.key, $0, "'extends'", "a preset file") }
        }
        if let value = pairs["defaults"]?.value {
            source.defaults = clip(value, "'defaults'", keys: Self.clipKeys.filter { $0 != "matrix" })
        }
        if let pair = pairs["clips"] {
            source.clipsLocation = pair.key.location
            source.clips = clips(pair.value)
        }
        return source
    }

    private mutating func clips(_ node: YAMLNode) -> [PresetClipSource] {
        guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
            report(node.location, "'clips' is malformed", remedy: "use a list of clips", found: node.found)
            return []
        }
        return nodes.map { clip($0, "a clip", keys: Self.clipKeys) }
    }

    // MARK: Clips

    private mutating func clip(_ node: YAMLNode, _ subject: String, keys: [String]) -> PresetClipSource {
        let wasClean = isClean
        isClean = true
        var clip = PresetClipSource(location: node.location)
        let pairs = mapping(node, subject, keys + OptionRegistry.current.options.map(\.key))
        if let pair = pairs["name"] { clip.name = template(pair, "'name'") }
        if let pair = pairs["loader"] { clip.loaders = loaders(pair) }
        if let pair = pairs["tutorial"] { clip.tutorials = tutorials(pair) }
        if let loader = pairs["loader"], let tutorial = pairs["tutorial"] {
            report(
                max(tutorial.key.location, loader.key.location), "'loader' and 'tutorial' cannot be combined",
                remedy: "use one of them")
        }
        if let pair = pairs["set"] { clip.options = settings(pair.value, &clip.rejected) }
        if let pair = pairs["outputs"] { clip.outputs = outputs(pair.value) }
        for option in OptionRegistry.current.options {
            guard let pair = pairs[option.key] else { continue }
            clip.options[option.key] = value(of: option, pair.key, pair.value)
            if clip.options[option.key] == nil { clip.rejected.insert(option.key) }
        }
        if let pair = pairs["matrix"] { clip.axes = axes(pair.value, beside: clip) }
        checkExclusions(among: clip.options, clip.axes)
        clip.isBroken = !isClean
        isClean = isClean && wasClean
        return clip
    }

    private mutating func loaders(_ pair: NodePair) -> [LocatedValue]? {
        let nodes = list(pair.value)
        if nodes.isEmpty {
            report(pair.value.location, "'loader' is empty", remedy: "give the id of a loader")
        }
        var result: [LocatedValue] = []
        for node in nodes {
            guard let given = given(pair.key, node, "'loader'", "the id of a loader"), let id = given.text
            else { continue }
            if LoaderCatalog.current.isFile(id) {
                if let resolved = file(given, node) { result.append(resolved) }
            } else if id == Self.allLoaders {
                result += LoaderCatalog.current.ids.map { LocatedValue(text: $0, key: given.key, value: given.value) }
            } else {
                do throws(ParameterError) {
                    _ = try LoaderCatalog.current.definition(id)
                    result.append(given)
                } catch {
                    let remedy = choice(id, of: LoaderCatalog.current.ids)
                    report(node.location, "there is no loader \(quoted(id))", remedy: remedy)
                }
            }
        }
        return result.isEmpty ? nil : result
    }

    /// Returns a loader's file with its path resolved. Records a problem and returns nil if it is
    /// not beside or below the preset, or cannot be read.
    private mutating func file(_ given: LocatedValue, _ node: YAMLNode) -> LocatedValue? {
        guard let name = given.text else { return nil }
        guard let path = DocumentFile.path(of: name, beside: given.value.file) else {
            report(
                node.location, "the loader's file is outside the preset's directory",
                remedy: "use a file beside or below the preset", found: quoted(name))
            return nil
        }
        do throws(ParameterError) { _ = try LoaderCatalog.current.definition(path) } catch {
            var problem = DocumentProblem(node.location, error.description)
            problem.isMissingFile = [.missingFile, .unreadableFile].contains(error.kind)
            report(problem)
            return nil
        }
        var resolved = given
        resolved.text = path
        return resolved
    }

    /// Returns the scripts of lessons as written. Their paths are resolved when the clips are
    /// planned.
    private mutating func tutorials(_ pair: NodePair) -> [LocatedValue]? {
        let nodes = list(pair.value)
        if nodes.isEmpty {
            report(pair.value.location, "'tutorial' is empty", remedy: "give a script of a lesson")
        }
        let given = nodes.compactMap { self.given(pair.key, $0, "'tutorial'", "a script of a lesson") }
        return given.isEmpty ? nil : given
    }

    private mutating func settings(_ node: YAMLNode, _ rejected: inout Set<String>) -> LocatedOptions {
        guard case .mapping(let pairs) = node.content else {
            report(node.location, "'set' is malformed", remedy: "use a mapping of parameters", found: node.found)
            return [:]
        }
        var options: LocatedOptions = [:]
        for (key, value) in pairs {
            guard let name = key.text, isParameter(name, at: key.location) else { continue }
            options["set." + name] = setting(name, key, value)
            if options["set." + name] == nil { rejected.insert("set." + name) }
        }
        return options
    }

    private mutating func setting(_ name: String, _ key: YAMLNode, _ value: YAMLNode) -> LocatedValue? {
        if value.isNull { return LocatedValue(text: nil, key: key.location, value: value.location) }
        return given(key, value, quoted(name), "a value in the limits that 'loadervid list' shows")
    }

    private mutating func isParameter(_ name: String, at location: SourceLocation) -> Bool {
        let known = LoaderCatalog.current.parameterNames
        guard !known.contains(name) else { return true }
        let remedy = choice(name, of: known, orElse: "use a parameter that 'loadervid list' shows")
        report(location, "no loader has a parameter \(quoted(name))", remedy: remedy)
        return false
    }

    private mutating func axes(_ node: YAMLNode, beside clip: PresetClipSource) -> [PresetAxis] {
        guard case .mapping(let pairs) = node.content, !pairs.isEmpty else {
            report(
                node.location, "'matrix' is malformed", remedy: "use a mapping of options to lists of values",
                found: node.found)
            return []
        }
        return pairs.compactMap { key, value in
            guard let name = key.text, let axis = axis(name, (key, value)) else { return nil }
            if clip.options[name] != nil || name == "loader" && clip.loaders != nil
                || name == "tutorial" && clip.tutorials != nil
            {
                report(
                    key.location, "\(quoted(name)) is set both in the clip and in its matrix",
                    remedy: "use one of them")
            }
            return axis
        }
    }

    private mutating func axis(_ name: String, _ pair: NodePair) -> PresetAxis? {
        guard case .sequence(let nodes) = pair.value.content, !nodes.isEmpty else {
            let location = pair.value.location
            let found = pair.value.found
            report(location, "the matrix is malformed at \(quoted(name))", remedy: "use a list of values", found: found)
            return nil
        }
        let values: [LocatedValue]
        if name == "loader" {
            values = loaders(pair) ?? []
        } else if name == "tutorial" {
            values = tutorials(pair) ?? []
        } else if name.hasPrefix("set."), case let parameter = String(name.dropFirst(4)) {
            guard isParameter(parameter, at: pair.key.location) else { return nil }
            values = nodes.compactMap { given($0, $0, quoted(name), "a value") }
        } else if let option = OptionRegistry.current[name] {
            values = nodes.compactMap { value(of: option, $0, $0) }
        } else {
            let options = OptionRegistry.current.options.map(\.key)
            let known = ["loader", "tutorial"] + options + LoaderCatalog.current.parameterNames.map { "set." + $0 }
            let remedy = choice(name, of: known, orElse: "use loader, an option of encode or set.PARAMETER")
            report(pair.key.location, "unknown key \(quoted(name)) in a matrix", remedy: remedy)
            return nil
        }
        return PresetAxis(key: name, location: pair.key.location, values: values)
    }

    /// Reports options of one clip or output that cannot be combined. Its own options win over
    /// those that it inherits.
    private mutating func checkExclusions(among options: LocatedOptions, _ axes: [PresetAxis] = []) {
        var locations = options.filter(\.value.isSet).mapValues(\.key)
        for axis in axes { locations[axis.key] = axis.location }
        for (key, other) in OptionRegistry.current.exclusions(among: locations.keys) {
            guard let location = locations[key], let second = locations[other] else { continue }
            let isLater = (second.line, second.column) > (location.line, location.column)
            report(
                isLater ? second : location, "'\(key)' and '\(other)' cannot be combined", remedy: "use one of them")
        }
    }

    // MARK: Outputs

    private mutating func outputs(_ node: YAMLNode) -> [OutputSource]? {
        let nodes = list(node)
        if nodes.isEmpty {
            report(node.location, "'outputs' is empty", remedy: "give a list of formats: " + formats)
        }
        return nodes.compactMap { output($0) }
    }

    private var formats: String { ClipFormat.names.joined(separator: ", ") }

    private mutating func output(_ node: YAMLNode) -> OutputSource? {
        var output = OutputSource(location: node.location)
        if case .scalar = node.content {
            output.format = format(node, node)
            return output.format == nil ? nil : output
        }
        let encoding = OptionRegistry.current.options.filter(\.outputsMayDiffer)
        let pairs = mapping(node, "an output", Self.outputKeys + encoding.map(\.key)) { name in
            OptionRegistry.current[name] == nil && !Self.clipKeys.contains(name)
                ? nil : "use an encoding option, since the outputs of a clip share its frames"
        }
        if let pair = pairs["format"] { output.format = format(pair.key, pair.value) }
        if let pair = pairs["file"] { output.file = template(pair, "'file'") }
        if let pair = pairs["suffix"] {
            output.suffix = given(pair.key, pair.value, "'suffix'", "text to append to the name")
        }
        for option in encoding {
            guard let pair = pairs[option.key] else { continue }
            output.options[option.key] = value(of: option, pair.key, pair.value)
            if output.options[option.key] == nil { output.rejected.insert(option.key) }
        }
        checkExclusions(among: output.options)
        if pairs["format"] == nil, let file = output.file?.text {
            guard let format = ClipFormat(ofFile: file) else {
                report(
                    output.location, "the output's name has no known extension",
                    remedy: "add 'format', or end the name in \(ClipFormat.listedExtensions())",
                    found: quoted(file))
                return nil
            }
            output.format = LocatedValue(text: format.name, key: output.location, value: output.location)
        } else if pairs["format"] == nil, pairs["file"] == nil, case .mapping = node.content {
            report(
                output.location, "the output has no format", remedy: "add 'format: ' and one of " + formats
            )
        }
        return output.format == nil ? nil : output
    }

    private mutating func format(_ key: YAMLNode, _ value: YAMLNode) -> LocatedValue? {
        guard let given = given(key, value, "'format'", "one of " + formats), let text = given.text else { return nil }
        guard let format = RequestValue.format.read(text) else {
            report(value.location, "there is no format \(quoted(text))", remedy: choice(text, of: ClipFormat.names))
            return nil
        }
        return LocatedValue(text: format.name, key: given.key, value: given.value)
    }
}
