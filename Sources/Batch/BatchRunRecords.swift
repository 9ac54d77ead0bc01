extension BatchRun {
    /// Returns the manifest at the start of a run, with the known records of all outputs.
    func manifest(_ outputs: [String: OutputState]) -> Manifest {
        var records = state.known.manifests[Manifest.fileName(of: plan.shard)]?.outputs ?? [:]
        // A batch without shards takes over all records, also of outputs that are no longer
        // planned, because it replaces the manifests of shards. A shard adds those of its own
        // outputs.
        for path in plan.shard == nil ? state.known.paths : Set(outputs.keys) where records[path] == nil {
            records[path] = state.known.records(of: path).first
        }
        records.merge(state.known.formerSidecars(of: outputs.keys, besides: plan.files)) { $1 }
        // Of several manifests' records, the one that matches the file is kept.
        for (path, output) in outputs { records[path] = output.matchingRecord ?? records[path] }
        return Manifest(shard: plan.shard, toolchain: plan.toolchain, plan: plan.planned, outputs: records)
    }

    /// Returns the sorted paths of files from earlier batches that are no longer in any preset.
    func orphans() -> [String] {
        guard plan.shard == nil else { return [] }
        return state.known.files.subtracting(plan.files).filter { path in
            (try? directory.existingOutput(path)) != nil
        }.sorted()
    }
}
