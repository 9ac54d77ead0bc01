import Dispatch
import Platform
import Pipeline

/// Joins what the shards of a batch made: one directory with all outputs and one manifest.
public struct BatchMerge {
    /// A shard's file of an output, whose contents are what its record says.
    private struct Candidate {
        let tree: OutputTree
        let record: OutputRecord
    }

    private typealias Source = (tree: OutputTree, known: KnownOutputs)

    private let sources: [Source]
    private let target: OutputTree
    private let state: BatchState
    private let force: Bool
    private let manifests: [Named]
    /// Whether the target is one of the shards' directories.
    private let isInPlace: Bool

    /// Reads the manifests of all directories. Throws `RenderError` if one has none, or they do not belong together.
    ///
    /// - Parameters:
    ///   - directories: where shards left their outputs: one that they shared, or one of each.
    ///   - target: where everything shall be, which `state` has taken; it may be one of `directories`.
    ///   - force: whether files in the way are replaced that no batch made.
    public init(_ directories: [OutputTree], into target: OutputTree, state: BatchState, force: Bool) throws {
        (self.target, self.state, self.force) = (target, state, force)
        let sources: [Source] = try directories.map { ($0, try KnownOutputs($0)) }
        if let empty = sources.first(where: { $0.known.manifests.isEmpty }) {
            throw RenderError(
                .missingInput,
                "\(empty.tree.path) has no manifest of a batch in \(OutputTree.stateName): copy that folder, too, which "
                    + "some tools leave out because it is hidden")
        }
        // What was joined earlier need not be copied again.
        let isSource = sources.contains { FileSystem.resolved($0.tree.path) == FileSystem.resolved(target.path) }
        self.sources = isSource ? sources : [(target, state.known)] + sources
        isInPlace = isSource
        manifests = try BatchMerge.manifestsOfOneBatch(sources)
    }

    /// What the shards were made by.
    public var toolchain: Toolchain { manifests[0].manifest.toolchain }

    /// Joins everything, or nothing if something is missing: then the report says what. Throws `RenderError` if two
    /// directories have different files of one output.
    public func run(_ cancellation: CancellationToken) throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let model = manifests[0].manifest
        let found = try model.plan.mapValues { _ in [Candidate]() }.merging(candidates(of: model)) { $1 }
        var results: [OutputResult]
        let missing = try self.missing(found, in: model)
        if missing.isEmpty {
            results = try join(found, model, cancellation)
            if isInPlace { state.removeShardManifests() }
        } else {
            results = model.plan.map { path, planned in
                let record = found[path]?.first?.record
                return planned.result(path, record == nil ? .failed : .upToDate, error: missing[path], record: record)
            }
        }
        results.sort { $0.path < $1.path }
        let shards = missingShards(manifests.map(\.manifest), missing: Set(missing.keys))
        return BatchReport(
            outputs: results, missingShards: shards,
            seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9, isInterrupted: false)
    }

    // MARK: Manifests

    private typealias Named = (path: String, manifest: Manifest)

    /// The shards' manifests, or where they are joined already the batch's own; all of one plan.
    private static func manifestsOfOneBatch(_ sources: [Source]) throws -> [Named] {
        let all = sources.flatMap { tree, known in
            known.manifests.sorted { $0.key < $1.key }.map { name, manifest in
                (path: tree.file("\(OutputTree.stateName)/\(name)"), manifest: manifest)
            }
        }
        let shards = all.filter { $0.manifest.shard != nil }
        let relevant = shards.isEmpty ? all : complete(shards) ?? shards
        for other in relevant.dropFirst() { try check(relevant[0], other) }
        return relevant
    }

    /// Those of the one count of which every shard is there, if manifests of other counts are left from earlier runs.
    private static func complete(_ shards: [Named]) -> [Named]? {
        let groups = Dictionary(grouping: shards) { $0.manifest.shard?.count ?? 0 }
        let complete = groups.filter { count, group in Set(group.map { $0.manifest.shard?.index }).count == count }
        return groups.count > 1 && complete.count == 1 ? complete.first?.value : nil
    }

    private static func check(_ one: Named, _ other: Named) throws {
        if let change = one.manifest.toolchain.change(to: other.manifest.toolchain) {
            throw RenderError(
                .badData,
                "\(one.path) and \(other.path) were made by different versions (\(change)): run all shards with one image"
            )
        }
        let (plan, otherPlan) = (one.manifest.plan, other.manifest.plan)
        guard plan != otherPlan else { return }
        let differing = Set(plan.keys).union(otherPlan.keys).filter { plan[$0] != otherPlan[$0] }.sorted()
        throw RenderError(
            .badData,
            "\(one.path) and \(other.path) are of different batches (\(differing.count) outputs differ, such as "
                + "\(differing[0])): run all shards with the same presets and the same count, and remove manifests that "
                + "are left from others")
    }

    // MARK: Outputs

    /// All files that are what the plan asks for.
    private func candidates(of model: Manifest) throws -> [String: [Candidate]] {
        var found: [String: [Candidate]] = [:]
        for (tree, known) in sources {
            for (path, planned) in model.plan {
                try tree.prepare(path, creates: false)
                guard let size = try KnownOutputs.size(of: tree.file(path)) else { continue }
                let records = try known.record(of: path, at: tree.file(path), size: size)
                guard let record = records.first(where: { $0.fingerprint == planned.fingerprint }) else { continue }
                if let other = found[path]?.first, other.record.sha256 != record.sha256 {
                    throw RenderError(
                        .badData,
                        "\(other.tree.file(path)) and \(tree.file(path)) should be the same, but differ: remove one of them"
                    )
                }
                found[path, default: []].append(Candidate(tree: tree, record: record))
            }
        }
        return found
    }

    private func missing(_ found: [String: [Candidate]], in model: Manifest) throws -> [String: RenderError] {
        var missing: [String: RenderError] = [:]
        for (path, candidates) in found where candidates.isEmpty {
            let damaged = try sources.first { try KnownOutputs.size(of: $0.tree.file(path)) != nil }
            let shard = model.plan[path]?.shard.map { " of shard \($0)" } ?? ""
            missing[path] = RenderError(
                .missingInput,
                damaged.map { "\(path)\(shard) is damaged or out of date in \($0.tree.path)" }
                    ?? "\(path)\(shard) is missing")
        }
        return missing
    }

    /// The shards that have left no manifest though something of theirs is missing.
    private func missingShards(_ manifests: [Manifest], missing: Set<String>) -> [Shard] {
        guard let count = manifests.compactMap(\.shard?.count).first else { return [] }
        let present = Set(manifests.compactMap(\.shard?.index))
        let wanted = Set(missing.compactMap { manifests[0].plan[$0]?.shard })
        return wanted.subtracting(present).sorted().compactMap { try? Shard(index: $0, count: count) }
    }

    /// Brings all outputs into the target, and its manifest up to date.
    private func join(
        _ found: [String: [Candidate]], _ model: Manifest, _ cancellation: CancellationToken
    ) throws -> [OutputResult] {
        var records: [String: OutputRecord] = [:]
        for path in state.known.paths { records[path] = state.known.records(of: path).first }
        let place = FileSystem.resolved(target.path)
        var moves: [(path: String, from: Candidate)] = []
        var results: [OutputResult] = []
        for (path, planned) in model.plan {
            guard let first = found[path]?.first else { continue }
            if found[path]?.contains(where: { FileSystem.resolved($0.tree.path) == place }) == true {
                records[path] = first.record
                results.append(planned.result(path, .upToDate, record: first.record))
            } else {
                moves.append((path, first))
                results.append(planned.result(path, .made, record: first.record))
            }
        }
        try state.begin(Manifest(shard: nil, toolchain: model.toolchain, plan: model.plan, outputs: records))
        for (path, source) in moves {
            try cancellation.check()
            try copy(path, from: source)
        }
        return results
    }

    private func copy(_ path: String, from source: Candidate) throws {
        try target.prepare(path, creates: true)
        let file = try OutputFile(
            path: target.file(path), overwrites: force || !state.known.records(of: path).isEmpty,
            temporaryDirectory: state.temporaryDirectory
        ) { _ in try state.note(source.record, for: path) }
        try FileSystem.read(source.tree.file(path)) { try file.write($0) }
        _ = try file.commit()
    }
}

extension PlannedOutput {
    /// What became of it when shards were joined.
    fileprivate func result(
        _ path: String, _ state: OutputResult.State, error: RenderError? = nil, record: OutputRecord? = nil
    ) -> OutputResult {
        OutputResult(
            path: path, preset: preset, state: state, reason: state == .made ? "copied" : "", error: error,
            frames: frames, duration: duration, bytes: record?.bytes, sha256: record?.sha256,
            concessions: record?.concessions ?? [:], fingerprint: fingerprint, seconds: 0)
    }
}
