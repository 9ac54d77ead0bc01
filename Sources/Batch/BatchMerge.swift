import Core
import Dispatch
import Render

/// A merge of the outputs of a batch's shards into one directory with one manifest.
package struct BatchMerge {
    /// A file for an output in one of the directories, which matches its record.
    private struct Candidate {
        let directory: OutputDirectory
        let record: OutputRecord

        /// Returns the error for a file that no longer matches its record.
        func changed(_ name: String) -> LoadervidError {
            LoadervidError(
                .inputOutput,
                "\(directory.path(of: name)) changed while the shards were merged; run the same command again")
        }
    }

    private typealias Source = (directory: OutputDirectory, known: KnownOutputs)

    private let sources: [Source]
    private let target: OutputDirectory
    private let state: BatchState
    private let force: Bool
    private let manifests: [Named]
    /// True if the target is one of the shards' directories.
    private let isInPlace: Bool

    /// Reads the manifests of all directories. Throws `LoadervidError` if a directory has none, or
    /// if they are of different batches.
    ///
    /// - Parameters:
    ///   - directories: the shards' output directories: a shared one, or one per shard.
    ///   - target: the directory to merge into, locked by `state`; may be one of `directories`.
    ///   - force: true to replace existing files that no batch made.
    package init(_ directories: [OutputDirectory], into target: OutputDirectory, state: BatchState, force: Bool) throws
    {
        self.target = target
        self.state = state
        self.force = force
        let sources = try BatchMerge.sources(directories)
        // The target counts as a source, too: what an earlier run merged is not copied again.
        let isSource = sources.contains { FileSystem.resolved($0.directory.path) == FileSystem.resolved(target.path) }
        self.sources = isSource ? sources : [(target, state.known)] + sources
        isInPlace = isSource
        manifests = try BatchMerge.manifestsOfOneBatch(sources)
    }

    /// Throws `LoadervidError` if a directory has no manifest. Call it before the target is created
    /// and locked. Manifests may change until then, so the initializer reads them again.
    package static func check(_ directories: [OutputDirectory]) throws { _ = try sources(directories) }

    private static func sources(_ directories: [OutputDirectory]) throws -> [Source] {
        try directories.map { directory in
            let known = try KnownOutputs(directory)
            guard !known.manifests.isEmpty else {
                throw LoadervidError(
                    .missingInput,
                    "\(directory.path) has no batch manifest in \(OutputDirectory.stateDirectoryName); copy that hidden "
                        + "directory as well, which some tools leave out")
            }
            return (directory, known)
        }
    }

    /// The paths of all outputs and their sidecars, relative to each directory.
    package var files: [String] {
        sources.reduce(into: Set(manifests[0].manifest.plan.keys)) { $0.formUnion($1.known.files) }.sorted()
    }

    /// The toolchain that made the shards.
    package var toolchain: Toolchain { manifests[0].manifest.toolchain }

    /// Merges all outputs. If any is missing, merges nothing and reports the missing ones. Throws
    /// `LoadervidError` if two directories have different files for the same output.
    package func run(_ cancellation: CancellationToken) throws -> BatchReport {
        let start = DispatchTime.now().uptimeNanoseconds
        let model = manifests[0].manifest
        let candidates = try self.candidates(of: model, cancellation)
        let found = model.plan.mapValues { _ in [Candidate]() }.merging(candidates) { $1 }
        var results: [OutputResult]
        let missing = try self.missing(found, in: model)
        if missing.isEmpty {
            results = try copyAll(found, model, cancellation)
            if isInPlace { state.removeShardFiles() }
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

    /// Returns the manifests of the shards, or of the whole batch if there are none. Throws
    /// `LoadervidError` if their plans differ.
    private static func manifestsOfOneBatch(_ sources: [Source]) throws -> [Named] {
        let all = sources.flatMap { directory, known in
            known.manifests.sorted { $0.key < $1.key }.map { name, manifest in
                (path: directory.path(of: "\(OutputDirectory.stateDirectoryName)/\(name)"), manifest: manifest)
            }
        }
        let shards = all.filter { $0.manifest.shard != nil }
        let relevant = shards.isEmpty ? all : complete(shards) ?? shards
        for other in relevant.dropFirst() { try check(relevant[0], other) }
        return relevant
    }

    /// Returns the manifests of the complete set of shards if there are several sets, of which one
    /// is complete; otherwise nil. Earlier runs with another number of shards may have left
    /// manifests.
    private static func complete(_ shards: [Named]) -> [Named]? {
        let groups = Dictionary(grouping: shards) { $0.manifest.shard?.count ?? 0 }
        let complete = groups.filter { count, group in Set(group.map { $0.manifest.shard?.index }).count == count }
        return groups.count > 1 && complete.count == 1 ? complete.first?.value : nil
    }

    private static func check(_ one: Named, _ other: Named) throws {
        if let change = one.manifest.toolchain.change(to: other.manifest.toolchain) {
            throw LoadervidError(
                .badData,
                "\(one.path) and \(other.path) were made by different versions (\(change)); run all shards with the same "
                    + "image")
        }
        let plan = one.manifest.plan
        let otherPlan = other.manifest.plan
        guard plan != otherPlan else { return }
        let differing = Set(plan.keys).union(otherPlan.keys).filter { plan[$0] != otherPlan[$0] }.sorted()
        throw LoadervidError(
            .badData,
            "\(one.path) and \(other.path) are of different batches (\(differing.count) outputs differ, such as "
                + "\(differing[0].abbreviated(to: maxNameLength))); run all shards with the same presets and count, and "
                + "remove the manifests of other runs")
    }

    // MARK: Outputs

    /// Returns all files that match the plan, by output.
    private func candidates(
        of model: Manifest, _ cancellation: CancellationToken
    ) throws -> [String: [Candidate]] {
        var found: [String: [Candidate]] = [:]
        for source in sources {
            for path in model.plan.keys {
                try cancellation.check()
                guard let candidate = try matchingCopy(path, in: source, as: model) else { continue }
                if let other = found[path]?.first { try check(other, candidate, of: path) }
                guard try sidecarProblem(candidate, of: path) == nil else { continue }
                found[path, default: []].append(candidate)
            }
        }
        // Records of earlier versions do not list sidecars, so records that do come first.
        return found.mapValues { $0.filter { $0.record.sidecars != nil } + $0.filter { $0.record.sidecars == nil } }
    }

    /// The maximum size of an output to merge in bytes, 64 GiB. Manifests do not say how large a
    /// clip can be, and hashing a sparse file takes as long as its size says.
    private static let maxOutputBytes = 64 << 30

    /// Returns a source's copy of an output, if it matches the plan. Ignores the sidecars.
    private func matchingCopy(_ path: String, in source: Source, as model: Manifest) throws -> Candidate? {
        guard let existing = try source.directory.existingOutput(path) else { return nil }
        let records = try source.known.records(of: path, matching: existing, maxBytes: BatchMerge.maxOutputBytes)
        let wanted = model.plan[path]?.fingerprint
        return records.first { $0.fingerprint == wanted }.map { Candidate(directory: source.directory, record: $0) }
    }

    /// Throws `LoadervidError` if two directories have different files for the same output.
    private func check(_ one: Candidate, _ other: Candidate, of path: String) throws {
        func check(_ name: String, _ isSame: Bool) throws {
            guard !isSame else { return }
            throw LoadervidError(
                .badData,
                "\(one.directory.path(of: name)) and \(other.directory.path(of: name)) differ, but should be identical; remove one of them"
            )
        }
        try check(path, one.record.sha256 == other.record.sha256)
        let others = other.record.sidecars(of: path)
        for (name, record) in one.record.sidecars(of: path) { try check(name, others[name] ?? record == record) }
    }

    /// Returns the first problem of an output's sidecars; nil if they match the record.
    private func sidecarProblem(_ candidate: Candidate, of path: String) throws -> String? {
        for (name, record) in candidate.record.sidecars(of: path).sorted(by: { $0.key < $1.key }) {
            if let problem = try record.problem(of: name, in: candidate.directory) { return problem.description }
        }
        return nil
    }

    private func missing(_ found: [String: [Candidate]], in model: Manifest) throws -> [String: LoadervidError] {
        var missing: [String: LoadervidError] = [:]
        for (path, candidates) in found where candidates.isEmpty {
            let damaged = try sources.first { try $0.directory.existingOutput(path) != nil }
            let shard = model.plan[path]?.shard.map { " of shard \($0)" } ?? ""
            missing[path] = LoadervidError(
                .missingInput,
                try damaged.map { source in
                    let reason = try matchingCopy(path, in: source, as: model).flatMap {
                        try sidecarProblem($0, of: path)
                    }
                    return reason.map { "\(path)\(shard) in \(source.directory.path) is incomplete (\($0))" }
                        ?? "\(path)\(shard) is damaged or out of date in \(source.directory.path)"
                } ?? "\(path)\(shard) is missing")
        }
        return missing
    }

    /// Returns the shards without a manifest whose outputs are missing.
    private func missingShards(_ manifests: [Manifest], missing: Set<String>) -> [Shard] {
        guard let count = manifests.compactMap(\.shard?.count).first else { return [] }
        let present = Set(manifests.compactMap(\.shard?.index))
        let required = Set(missing.compactMap { manifests[0].plan[$0]?.shard })
        return required.subtracting(present).sorted().compactMap { try? Shard(index: $0, count: count) }
    }

    /// Copies all outputs to the target, and updates its manifest.
    private func copyAll(
        _ found: [String: [Candidate]], _ model: Manifest, _ cancellation: CancellationToken
    ) throws -> [OutputResult] {
        var records: [String: OutputRecord] = [:]
        for path in state.known.paths { records[path] = state.known.records(of: path).first }
        let targetPath = FileSystem.resolved(target.path)
        var copies: [(path: String, from: Candidate)] = []
        var results: [OutputResult] = []
        for (path, planned) in model.plan {
            guard let first = found[path]?.first else { continue }
            if found[path]?.contains(where: { FileSystem.resolved($0.directory.path) == targetPath }) == true {
                records[path] = first.record
                results.append(planned.result(path, .upToDate, record: first.record))
            } else {
                copies.append((path, first))
                results.append(planned.result(path, .made, record: first.record))
            }
        }
        for (path, source) in copies { try checkTarget(of: path, from: source) }
        try state.begin(Manifest(shard: nil, toolchain: model.toolchain, plan: model.plan, outputs: records))
        for (path, source) in copies {
            try cancellation.check()
            try copy(path, from: source)
        }
        return results
    }

    /// Returns true if an existing file at the path of an output, or of its sidecar with an
    /// extension, may be replaced.
    private func mayReplace(_ path: String, sidecar: String? = nil) -> Bool {
        let isRecorded = !state.known.records(of: path).isEmpty
        return force || sidecar.map { state.known.hasMade(fileExtension: $0, beside: path) } ?? isRecorded
    }

    /// Throws `LoadervidError` if the copy of an output would replace a file that no batch made.
    private func checkTarget(of path: String, from source: Candidate) throws {
        let taken = try mayReplace(path) || target.existingOutput(path) == nil ? nil : path
        let sidecars = (source.record.sidecars ?? [:]).keys.sorted().filter { !mayReplace(path, sidecar: $0) }
        let names = sidecars.map { PresetOutput.stem(of: path) + "." + $0 }
        guard let name = try taken ?? names.first(where: { try target.existingFile($0) != nil }) else { return }
        throw LoadervidError(
            .cannotCreate, "\(target.path(of: name)) exists and was not made by a batch", hint: .overwritingOrRemoval)
    }

    private func copy(_ path: String, from source: Candidate) throws {
        let replaces = mayReplace(path)
        // The source was hashed earlier and may have changed since, so the copy is hashed, too.
        func note(_ contents: (byteCount: Int, hash: String)) throws {
            guard contents == (source.record.bytes, source.record.sha256) else { throw source.changed(path) }
            try state.note(source.record, for: path)
        }
        if let pattern = OutputDirectory.pattern(of: path) {
            let sequence = try target.newSequence(path, pattern, replaces: replaces, state: state) {
                try note($0.contentHash())
            }
            guard let files = try source.directory.sequence(path, pattern) else { throw source.changed(path) }
            for (number, entry) in zip(files.numbers, files.entries) {
                guard let bytes = try entry.contents(maxBytes: source.record.bytes) else { throw source.changed(path) }
                try bytes.withUnsafeBufferPointer { try sequence.write($0, number: number) }
            }
            _ = try sequence.commit()
            return
        }
        let file = try target.newFile(path, replaces: replaces, state: state) { try note($0.contentHash()) }
        for (fileExtension, record) in (source.record.sidecars ?? [:]).sorted(by: { $0.key < $1.key }) {
            let name = PresetOutput.stem(of: path) + "." + fileExtension
            guard let contents = try record.contents(of: name, in: source.directory) else { throw source.changed(name) }
            try file.addSidecar(
                ending: fileExtension, contents, overwrites: mayReplace(path, sidecar: fileExtension))
        }
        guard let entry = try source.directory.entry(path, creates: false) else { throw source.changed(path) }
        try entry.read { try file.write($0) }
        _ = try file.commit()
    }
}
