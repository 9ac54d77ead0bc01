import Documents
import Loaders
import Media
import Pipeline
import Tutorials

// Clips that are lessons.
extension ClipVariant {
    /// A lesson with its plan.
    func lesson(
        _ tutorial: Given, _ container: Container, _ options: GivenOptions, _ output: OutputSource
    ) throws -> PresetOutput {
        for (key, given) in options.sorted(by: { $0.key < $1.key }) where !NameTemplate.shown.contains(key) {
            guard OptionRegistry.current[key].map(Lesson.takes) ?? false else {
                throw DocumentError(problems: [
                    DocumentProblem(
                        given.key, "\(quoted(key)) says nothing about a lesson",
                        expected: "lang, layout, theme, captions, fps or an option of encoding",
                        found: quoted(given.text ?? "null"))
                ])
            }
        }
        let script = try TutorialScript(file: try path(of: tutorial), limits: limits.document)
        var request = RenderRequest(loader: script.loader, container: container)
        try OptionRegistry.current.apply(placed(options), to: &request)
        let plan = try RenderPlan(script, request)
        guard plan.frameCount <= limits.frames else {
            throw RenderError(
                .usage,
                "the lesson has \(plan.frameCount) frames, more than \(limits.frames): make it shorter, or raise --max-frames",
                about: .options("fps"))
        }
        return PresetOutput(
            plan, of: request, script: try script.fingerprint(),
            location: output.location, options: options.compactMapValues(\.text))
    }

    /// The file of a script: beside or below the preset, or a shipped one by its name.
    private func path(of tutorial: Given) throws(DocumentError) -> String {
        let (name, place) = (tutorial.text ?? "", tutorial.value)
        let directory = DocumentFile.directory(place.file)
        let candidates = [directory + name, directory + name + ".yaml"]
        if FileName.problem(of: name) == nil,
            let path = candidates.first(where: DocumentFile.exists),
            DocumentFile.isInside(path, directory.isEmpty ? "." : directory)
        {
            return path
        }
        if let path = DocumentFile.shipped(name, in: shipped.map { $0 + "/tutorials" }) { return path }
        throw DocumentError(problems: [
            DocumentProblem(
                place, "there is no such script", expected: "a file beside or below the preset, or a shipped tutorial",
                found: quoted(name))
        ])
    }
}
