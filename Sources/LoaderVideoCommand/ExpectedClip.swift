import ArgumentParser
import Batch
import Documents
import Loaders
import Media
import Pipeline
import Presets

/// What files must show: a loader with the options of `encode`, or the outputs of a preset.
struct ExpectedClip {
    private enum Source {
        case loader(String, ClipOptions)
        case outputs(String, [PresetOutput])
    }

    private let source: Source

    /// Finds what a name means. Throws if it is neither a loader nor a preset.
    init(_ name: String, _ options: ClipOptions) throws {
        if LoaderCatalog.current.ids.contains(name) || LoaderCatalog.current.isFile(name) {
            source = .loader(name, options)
            return
        }
        let shipped = try PresetOptions.shipped(in: nil)
        let path = DocumentFile.find(name, shipped: shipped)
        guard FileSystem.exists(path) else {
            // What it says knows the names that are alike.
            do { _ = try LoaderRequest(id: name) } catch {
                let error = RenderError(error)
                throw RenderError(
                    error.kind, "there is no preset '\(name)', and \(error.reason)", about: error.about,
                    wayOut: error.wayOut, others: error.others)
            }
            source = .loader(name, options)
            return
        }
        guard options.texts.isEmpty, options.motion.settings.isEmpty else {
            throw ValidationError("a preset says all about its clips: leave out the options of clips")
        }
        let clips = try PresetReader(limits: PresetLimits(), shipped: shipped).read([path])
        source = .outputs(name, clips.flatMap(\.outputs))
    }

    /// The plan of what a file must show.
    func plan(for file: String) throws -> RenderPlan {
        switch source {
        case .loader(let id, let options): return try RenderPlan(request(id, options, for: file))
        case .outputs(let preset, let outputs):
            let found = outputs.filter { file == $0.path || file.hasSuffix("/" + $0.path) }
            guard let output = found.max(by: { $0.path.utf8.count < $1.path.utf8.count }) else {
                throw RenderError(
                    .usage,
                    "\(file) is no output of \(preset), which has "
                        + "\(outputs.prefix(3).map(\.path).joined(separator: ", "))"
                        + "\(outputs.count > 3 ? " and others" : ""): name files as they lie in the batch's directory")
            }
            guard output.plan.mostBytes != nil else { return output.plan }
            // For that its batch may have given something up.
            let directory = String(file.dropLast(output.path.count))
            let tree = try OutputTree(directory.isEmpty ? "." : directory, creates: false)
            return try output.making(tree.concessions(of: output.path)).plan
        }
    }

    private func request(_ id: String, _ options: ClipOptions, for file: String) throws -> RenderRequest {
        if let container = Container(ofFile: file) { return try options.request(id, container: container) }
        // Of how it is encoded nothing matters, as long as every picture can be: any size, and transparency.
        let ways: Set = ["codec", "quality", "speed", "pixel-format", "audio"]
        var request = try options.motion.request(id, options.texts.filter { !ways.contains($0.key) })
        (request.container, request.codec, request.pixelFormat) = (.mkv, "ffv1", "bgra")
        return request
    }
}
