import Animations
import ArgumentParser
import Batch
import Core
import Explain
import Inspect
import Media
import Render

/// The expected contents of files: a loader with the options of `encode`, or the outputs of a
/// preset.
struct ExpectedClip {
    private enum Source {
        case loader(String, ClipOptions)
        case outputs(String, [PresetOutput])
    }

    private let source: Source
    private let reducedSettings = ReducedSettings()

    /// Resolves a name. Throws `LoadervidError` if it is neither a loader nor a preset.
    init(_ name: String, _ options: ClipOptions) throws {
        if LoaderCatalog.current.ids.contains(name) || LoaderCatalog.current.isFile(name) {
            source = .loader(name, options)
            return
        }
        let shipped = try PresetOptions.shipped(in: nil)
        let path = DocumentFile.find(name, shipped: shipped)
        guard FileSystem.exists(path) else {
            guard !DocumentFile.isPath(name) else {
                throw LoadervidError(missing: name, role: "preset")
            }
            // The catalog's error suggests a similar name.
            do { _ = try LoaderRequest(id: name) } catch {
                let error = LoadervidError(error)
                let question = DocumentFile.question(name, shipped: shipped).map { " (\($0))" } ?? ""
                throw LoadervidError(
                    error.kind,
                    "there is no preset \(quoted(name))\(question), and \(error.reason)", subjects: error.subjects,
                    hint: error.hint, related: error.related)
            }
            source = .loader(name, options)
            return
        }
        guard options.texts.isEmpty, options.motion.settings.isEmpty else {
            throw ValidationError("a preset defines its clips completely; leave out the options for clips")
        }
        let clips = try PresetReader(limits: PresetLimits(), shipped: shipped).read([path])
        source = .outputs(name, clips.flatMap(\.outputs))
    }

    /// Sets the plan of the clip that a file must show. Throws `LoadervidError` if a preset has no
    /// output with the file's name.
    func describe(_ file: String, in options: inout VerificationOptions) throws {
        options.maxBytes = nil
        options.planNote = nil
        options.comparesProfile = true
        let plan = try plan(for: file, &options)
        options.plan = plan
        guard case .loader = source, let maxBytes = plan.maxBytes, plan.vector == nil else { return }
        let limited = LimitedPlan(plan, like: file, options.limits)
        options.plan = limited.plan
        options.maxBytes = maxBytes
        options.planNote = limited.words.map { "compared with \($0), as --max-bytes may lower it" }
    }

    /// Sets the plan with seamless timing, which a batch gives to all formats of a clip, if the
    /// file's format has exact timing by default. Returns false if there is no such plan.
    func describeSeamless(_ file: String, in options: inout VerificationOptions) throws -> Bool {
        guard case .loader(let id, let clip) = source, clip.texts["timing"] == nil,
            options.plan?.source.timing == .exact
        else { return false }
        var request = try request(id, clip, for: file, &options)
        guard case .cycles = request.extent else { return false }
        request.timing = .seamless
        options.plan = try RenderPlan(request)
        options.planNote = "its timing is seamless, as in a batch with other formats (--timing seamless)"
        return true
    }

    private func plan(for file: String, _ options: inout VerificationOptions) throws -> RenderPlan {
        switch source {
        case .loader(let id, let clip): return try RenderPlan(request(id, clip, for: file, &options))
        case .outputs(let preset, let outputs):
            let found = outputs.filter { file == $0.path || file.hasSuffix("/" + $0.path) }
            guard let output = found.max(by: { $0.path.utf8.count < $1.path.utf8.count }) else {
                throw LoadervidError(
                    .usage,
                    "\(file) is not an output of \(preset), which makes "
                        + "\(outputs.prefix(3).map(\.path).joined(separator: ", "))"
                        + "\(outputs.count > 3 ? " and others" : ""); use the paths of the batch's output directory")
            }
            guard output.plan.maxBytes != nil else { return output.plan }
            // The batch may have changed settings to keep the file under its size limit.
            let directory = String(file.dropLast(output.path.count))
            let settings = try reducedSettings.settings(of: output.path, in: directory.isEmpty ? "." : directory)
            return try output.making(settings).plan
        }
    }

    private func request(
        _ id: String, _ clip: ClipOptions, for file: String, _ options: inout VerificationOptions
    ) throws -> RenderRequest {
        if let format = ClipFormat(ofFile: file) {
            let request = try clip.request(id, format: format)
            guard let edited = editorRequest(request, clip, for: file, options.limits) else { return request }
            // The file has one of several profiles, and the options name none.
            options.comparesProfile = false
            return edited
        }
        // The file has no known container. The encoding does not matter then, as long as it
        // supports all sizes and transparency.
        let encodingOptions: Set = ["codec", "quality", "speed", "pixel-format", "audio"]
        var request = try clip.motion.request(id, clip.texts.filter { !encodingOptions.contains($0.key) })
        request.container = .mkv
        request.codec = "ffv1"
        request.pixelFormat = "bgra"
        return request
    }

    /// Returns a request with the file's codec if that is an editor's codec in MOV and the options
    /// name none: its clips have exact timing by default, and may have other sizes. Returns nil for
    /// other files, or if the options do not suit the codec.
    private func editorRequest(
        _ request: RenderRequest, _ clip: ClipOptions, for file: String, _ limits: ClipLimits
    ) -> RenderRequest? {
        guard request.container == .mov, ["codec", "profile"].allSatisfy({ clip.texts[$0] == nil }),
            let codec = FrameStreams.codec(of: file, limits),
            CodecProfile.find(codec)?.traits.isIntermediate == true,
            (try? RenderPlan(request))?.encoder.traits.isIntermediate != true
        else { return nil }
        var request = request
        request.codec = codec
        return (try? RenderPlan(request)).map { _ in request }
    }
}
