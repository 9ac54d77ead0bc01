import Animations
import Core
import Explain
import Media
import Render

// Clips of lessons.
extension ClipVariant {
    /// Returns an output of a lesson, with its plan. Throws `DocumentError` or `LoadervidError` if
    /// it is invalid.
    func lesson(
        _ tutorial: LocatedValue, _ format: ClipFormat, _ options: LocatedOptions, _ output: OutputSource
    ) throws -> PresetOutput {
        for (key, given) in options.sorted(by: { $0.key < $1.key }) where !NameTemplate.shown.contains(key) {
            guard OptionRegistry.current[key].map(Lesson.takes) ?? false else {
                throw DocumentError(problems: [
                    DocumentProblem(
                        given.key, "\(quoted(key)) does not apply to lessons",
                        remedy: "use lang, layout, theme, title, mark, captions, transitions, fps or an encoding option"
                    )
                ])
            }
        }
        let script = try TutorialScript(file: try path(of: tutorial), limits: limits.document)
        var request = RenderRequest(loader: script.loader, container: .mp4)
        request.encoding.format = format
        try OptionRegistry.current.apply(resolvingPaths(in: options), to: &request)
        let plan = try RenderPlan(script, request)
        guard plan.frameCount <= limits.frames else {
            throw LoadervidError(
                .usage,
                "the lesson has \(plan.frameCount) frames, above the maximum of \(limits.frames); make it shorter, or "
                    + "raise \(commandOption: "max-frames")",
                subjects: .options("fps"))
        }
        return PresetOutput(
            plan, of: request, script: try script.fingerprint(),
            location: output.location, options: options.compactMapValues(\.text))
    }

    /// Returns the path of a script, beside or below the preset or among the shipped ones. Throws
    /// `DocumentError` if there is none.
    private func path(of tutorial: LocatedValue) throws(DocumentError) -> String {
        let name = tutorial.text ?? ""
        let location = tutorial.value
        let directory = location.file.directoryPart
        let candidates = [directory + name, directory + name + ".yaml"]
        if FileName.problem(of: name) == nil,
            let path = candidates.first(where: DocumentFile.exists),
            DocumentFile.isInside(path, directory.isEmpty ? "." : directory)
        {
            return path
        }
        if let path = DocumentFile.shipped(name, in: shipped.map { $0 + "/tutorials" }) { return path }
        let question = DocumentFile.question(name, shipped: shipped.map { $0 + "/tutorials" })
        throw DocumentError(problems: [
            DocumentProblem(
                location, "there is no script \(quoted(name))",
                remedy: question ?? "use a file beside or below the preset, or a shipped tutorial")
        ])
    }
}
