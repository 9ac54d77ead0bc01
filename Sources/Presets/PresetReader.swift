import Documents
import Platform
import Pipeline

/// Reads presets: files in YAML that say which clips to make. What it returns can be rendered as it is.
public struct PresetReader: Sendable {
    private let limits: PresetLimits
    private let shipped: String?

    /// A reader with limits; `shipped` is the directory of the presets that come with the program and that every preset may
    /// extend, if there is one.
    public init(limits: PresetLimits = PresetLimits(), shipped: String? = nil) {
        (self.limits, self.shipped) = (limits, shipped)
    }

    /// All clips of some preset files, checked and planned. Throws `DocumentError` with everything that is wrong in all of
    /// them.
    public func read(_ paths: [String]) throws(DocumentError) -> [PresetClip] {
        var (clips, problems) = ([PresetClip](), [DocumentProblem]())
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
        guard problems.isEmpty else { throw DocumentError(problems: Self.sorted(problems, paths)) }
        return clips
    }

    /// What a preset says about itself, without a look at its clips. Throws `DocumentError` if it is no preset at all.
    public func summary(of path: String) throws(DocumentError) -> (name: String, description: String) {
        var family = PresetFamily(limits: limits, shipped: shipped)
        guard let source = family.source(path) else { throw DocumentError(problems: family.problems) }
        return (source.name, source.summary)
    }

    /// Each problem once, in the order of files and places.
    private static func sorted(_ problems: [DocumentProblem], _ paths: [String]) -> [DocumentProblem] {
        var seen: Set<DocumentProblem> = []
        let unique = problems.filter { seen.insert($0).inserted }
        var order: [String: Int] = [:]
        for file in paths + unique.map(\.file) { order[file] = order[file] ?? order.count }
        func rank(_ problem: DocumentProblem) -> (Int, Int, Int) {
            (order[problem.file] ?? 0, problem.location?.line ?? 0, problem.location?.column ?? 0)
        }
        return unique.enumerated().sorted { a, b in
            rank(a.element) == rank(b.element) ? a.offset < b.offset : rank(a.element) < rank(b.element)
        }.map(\.element)
    }
}

/// Presets and the files that they extend.
struct PresetFamily {
    private let limits: PresetLimits
    private let shipped: String?
    private(set) var problems: [DocumentProblem] = []
    private var fileCount = 0

    init(limits: PresetLimits, shipped: String?) { (self.limits, self.shipped) = (limits, shipped) }

    /// A preset with everything that it inherits; nil if that cannot be told.
    mutating func source(_ path: String) -> PresetSource? {
        source(path, below: [], askedAt: nil)
    }

    private mutating func source(_ path: String, below chain: [[UInt8]], askedAt place: SourceLocation?)
        -> PresetSource?
    {
        guard var source = parsed(path, askedAt: place) else { return nil }
        let chain = chain + [FileSystem.resolved(path)]
        var inherited: (defaults: ClipSource, clips: [ClipSource]?, location: SourceLocation)?
        for given in source.parents {
            guard let text = given.text, let parentPath = parentPath(text, of: path, chain, given.value),
                let parent = self.source(parentPath, below: chain, askedAt: given.value)
            else {
                // What is missing might be anything, so nothing else about the clips can be told.
                (source.isBroken, source.defaults.isBroken) = (true, true)
                continue
            }
            source.isBroken = source.isBroken || parent.isBroken
            let defaults = inherited.map { parent.defaults.inheriting($0.defaults) } ?? parent.defaults
            inherited = (defaults, parent.clips ?? inherited?.clips, parent.clipsLocation)
        }
        guard let inherited else { return source }
        source.defaults = source.defaults.inheriting(inherited.defaults)
        if source.clips == nil { source.clips = inherited.clips }
        return source
    }

    private mutating func parsed(_ path: String, askedAt place: SourceLocation?) -> PresetSource? {
        switch DocumentFile.read(path, limits: limits.document) {
        case .failure(let refusal):
            var problem = DocumentProblem(file: path, refusal.what, isMissingFile: refusal.isMissing)
            if let place {
                let found = "\(quoted(path)): \(refusal.what)"
                problem = DocumentProblem(
                    place, "'extends' names no preset", expected: "a file that is there", found: found)
                problem.isMissingFile = refusal.isMissing
            }
            problems.append(problem)
            return nil
        case .success(let bytes):
            let (root, problems) = YAMLParser.parse(
                bytes, file: path, expected: "a mapping with clips", limits: limits.document)
            self.problems += problems
            guard let root else { return nil }
            var reader = PresetSourceReader(file: path)
            var source = reader.preset(root, stem: DocumentFile.stem(path))
            self.problems += reader.problems
            if !problems.isEmpty || !reader.problems.isEmpty { source.isBroken = true }
            return source
        }
    }

    /// Where a parent is: below the directory of the file that names it, or among the shipped presets.
    private mutating func parentPath(
        _ text: String, of path: String, _ chain: [[UInt8]], _ place: SourceLocation
    ) -> String? {
        func refuse(_ what: String, _ expected: String) -> String? {
            problems.append(DocumentProblem(place, what, expected: expected, found: quoted(text)))
            return nil
        }
        let directory = DocumentFile.directory(path)
        if FileName.problem(of: text) != nil {
            return refuse("'extends' leads away", "a preset beside or below this one, or the name of a shipped one")
        }
        var parent = directory + text
        if !DocumentFile.exists(parent), let found = DocumentFile.shipped(text, in: shipped) {
            parent = found
        } else if DocumentFile.exists(parent), !DocumentFile.isInside(parent, directory.isEmpty ? "." : directory),
            !DocumentFile.isInside(parent, shipped ?? directory)
        {
            return refuse("'extends' leads away through a link", "a preset beside or below this one")
        }
        if chain.contains(FileSystem.resolved(parent)) {
            return refuse("the presets extend each other in a circle", "a preset that does not extend this one")
        }
        fileCount += 1
        guard fileCount <= PresetLimits.extendedFiles else {
            return refuse("too many files are extended", "at most \(PresetLimits.extendedFiles) in all")
        }
        return parent
    }
}
