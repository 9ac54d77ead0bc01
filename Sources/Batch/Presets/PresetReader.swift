import Core
import Explain
import Render

/// A reader of presets, the YAML files that define the clips of a batch.
package struct PresetReader: Sendable {
    private let limits: PresetLimits
    private let shipped: String?

    /// Creates a reader.
    ///
    /// - Parameter shipped: the directory of the shipped presets, which every preset may extend;
    ///   nil for none.
    package init(limits: PresetLimits = PresetLimits(), shipped: String? = nil) {
        self.limits = limits
        self.shipped = shipped
    }

    /// Returns all clips of preset files, validated and planned. Throws `DocumentError` with all
    /// problems of all files.
    package func read(_ paths: [String]) throws(DocumentError) -> [PresetClip] {
        do throws(DocumentError) { return try readings(paths).clips } catch {
            throw DocumentError(problems: error.problems)
        }
    }

    /// Reads the same presets and also returns warnings. The error has the warnings, too.
    package func readings(_ paths: [String]) throws(DocumentError) -> PresetReading {
        try OptionName.inDocuments { () throws(DocumentError) in try reading(paths) }
    }

    private func reading(_ paths: [String]) throws(DocumentError) -> PresetReading {
        var clips: [PresetClip] = []
        var problems: [DocumentProblem] = []
        var expansion = PresetExpansion(limits: limits, shipped: shipped)
        var seen: Set<[UInt8]> = []
        for path in paths where seen.insert(FileSystem.resolved(path)).inserted {
            var family = PresetFamily(limits: limits, shipped: shipped)
            let source = family.source(path)
            problems += family.problems
            guard let source else { continue }
            clips += expansion.clips(of: source)
        }
        problems += expansion.problems
        guard problems.isEmpty else {
            throw DocumentError(
                problems: problems.ordered(byFiles: paths),
                reported: (problems + expansion.warnings).ordered(byFiles: paths))
        }
        return PresetReading(clips: clips, warnings: expansion.warnings.ordered(byFiles: paths))
    }

    /// Returns the name and description of a preset, without validating its clips. Throws
    /// `DocumentError` if the file is not a preset.
    package func summary(of path: String) throws(DocumentError) -> (name: String, description: String) {
        var family = PresetFamily(limits: limits, shipped: shipped)
        guard let source = family.source(path) else { throw DocumentError(problems: family.problems) }
        return (source.name, source.summary)
    }
}

/// The contents of presets.
package struct PresetReading: Sendable {
    /// All clips, validated and planned.
    package let clips: [PresetClip]
    /// Likely mistakes that do not prevent rendering, in the order of files and positions.
    package let warnings: [DocumentProblem]
}

/// A preset and the files that it extends.
struct PresetFamily {
    private let limits: PresetLimits
    private let shipped: String?
    private(set) var problems: [DocumentProblem] = []
    private var fileCount = 0

    init(limits: PresetLimits, shipped: String?) {
        self.limits = limits
        self.shipped = shipped
    }

    /// Returns a preset with everything that it inherits; nil if it cannot be read.
    mutating func source(_ path: String) -> PresetSource? {
        source(path, below: [], askedAt: nil)
    }

    private mutating func source(_ path: String, below chain: [[UInt8]], askedAt location: SourceLocation?)
        -> PresetSource?
    {
        guard var source = parsed(path, askedAt: location) else { return nil }
        let chain = chain + [FileSystem.resolved(path)]
        var inherited: (defaults: PresetClipSource, clips: [PresetClipSource]?)?
        for given in source.parents {
            guard let text = given.text, let parentPath = parentPath(text, of: path, chain, given.value),
                let parent = self.source(parentPath, below: chain, askedAt: given.value)
            else {
                // The missing parent may define anything, so the clips cannot be validated
                // completely.
                source.isBroken = true
                source.defaults.isBroken = true
                source.defaults.isUnknown = true
                continue
            }
            source.isBroken = source.isBroken || parent.isBroken
            let defaults = inherited.map { parent.defaults.inheriting($0.defaults) } ?? parent.defaults
            inherited = (defaults, parent.clips ?? inherited?.clips)
        }
        guard let inherited else { return source }
        source.defaults = source.defaults.inheriting(inherited.defaults)
        if source.clips == nil { source.clips = inherited.clips }
        return source
    }

    private mutating func parsed(_ path: String, askedAt location: SourceLocation?) -> PresetSource? {
        switch DocumentFile.read(path, limits: limits.document) {
        case .failure(let refusal):
            var problem = DocumentProblem(file: path, refusal)
            var name = path
            if let location {
                // The message has the name as written, not relative to the working directory.
                name = String(path.dropFirst(location.file.directoryPart.count))
                problem = DocumentProblem(location, "'extends' names \(quoted(name)), which \(refusal.problem)")
                problem.remedy = "use a file beside or below the preset, or the name of a shipped one"
                problem.setCause(refusal)
            }
            if refusal.isAbsent, let question = DocumentFile.question(name, shipped: shipped) {
                problem.remedy = question
            }
            problems.append(problem)
            return nil
        case .success(let bytes):
            let (root, problems) = YAMLParser.parse(
                bytes, file: path, form: "a preset with 'clips'", limits: limits.document)
            self.problems += problems
            guard let root else { return nil }
            var reader = PresetSourceReader(file: path)
            var source = reader.checkKind(root, is: .preset) ? reader.preset(root, stem: DocumentFile.stem(path)) : nil
            self.problems += reader.problems
            if !problems.isEmpty || !reader.problems.isEmpty { source?.isBroken = true }
            return source
        }
    }

    /// Returns the path of a parent, below the directory of the file that names it or among the
    /// shipped presets; nil if it is not allowed.
    private mutating func parentPath(
        _ text: String, of path: String, _ chain: [[UInt8]], _ location: SourceLocation
    ) -> String? {
        func refuse(_ problem: String, _ remedy: String) -> String? {
            problems.append(DocumentProblem(location, problem, remedy: remedy, found: quoted(text)))
            return nil
        }
        let directory = path.directoryPart
        if FileName.problem(of: text) != nil {
            return refuse(
                "'extends' leaves the preset's directory",
                "use a preset beside or below this one, or the name of a shipped one")
        }
        var parent = directory + text
        if !DocumentFile.exists(parent), let found = DocumentFile.shipped(text, in: shipped) {
            parent = found
        } else if DocumentFile.exists(parent), !DocumentFile.isInside(parent, directory.isEmpty ? "." : directory),
            !DocumentFile.isInside(parent, shipped ?? directory)
        {
            return refuse(
                "'extends' leaves the preset's directory through a link", "use a preset beside or below this one")
        }
        if chain.contains(FileSystem.resolved(parent)) {
            return refuse("the presets extend each other in a circle", "remove one 'extends'")
        }
        fileCount += 1
        guard fileCount <= PresetLimits.extendedFiles else {
            return refuse("too many files are extended", "use at most \(PresetLimits.extendedFiles) in all")
        }
        return parent
    }
}
