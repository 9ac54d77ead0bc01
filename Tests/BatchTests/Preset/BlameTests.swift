import Animations
import Testing

/// A problem is reported at the location of the option that caused it, independently of the
/// message.
@Suite struct BlameTests {
    /// A file name never decides the location, even if it is part of another message.
    @Test(arguments: ["chapters", "the alpha", "size", "step", "no support"])
    func fileNamesDoNotDecideTheLocation(name: String) throws {
        let text = """
            clips:
              - loader: douyin
                chapters: true
                pixel-format: yuv420p
                scale: 2
                step: true
                codec: h264
                set:
                  cover: \(name)
            """
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        #expect(problems == ["p.yaml:9:7: image \(name) does not exist; check the path"])
    }

    /// Paths are relative to their preset for all parameters that take paths.
    @Test func pathsOfCustomParametersAreRelativeToThePreset() throws {
        let hue = Parameter("hue", 0, defaultText: "plain", limits: "a path", summary: "", takesPath: true) {
            (text, loadImage) throws(ParameterError) in
            text == "plain" ? 0 : try loadImage(text).width
        }
        let own = LoaderDefinition(id: "own", title: "Own", parameters: [hue]) { _ in QQMail() }
        try LoaderCatalog.$current.withValue(.builtIn.adding([own])) {
            let preset = try PresetDirectory(["p.yaml": "clips: [{loader: own, set: {hue: a.png}}]", "a.png": "text"])
            // The file is found, and is not an image.
            #expect(preset.problems().first?.contains("image a.png cannot be read") == true)
            #expect(try clips("clips: [{loader: own, set: {hue: plain}}]").count == 1)
        }
    }

    /// For parameters that do not fit together, the problem is at one that the preset sets.
    @Test func onlyGivenParametersAreBlamed() throws {
        let text = """
            clips:
              - {loader: qq-pull, set: {topRadius: 5}}
              - {loader: qq-pull, set: {topRadius: 11, bottomRadius: 12}, name: b}
              - {loader: qq-pull, to: phase:9, name: c}
            """
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        #expect(problems.map { $0.prefix(11) } == ["p.yaml:2:29", "p.yaml:3:44", "p.yaml:4:23"])
    }

    /// Deep nesting is reported as such, even if the YAML parser would fail for it.
    @Test func nestingIsTooDeepBelowTheParsersOwnLimit() throws {
        for depth in [17, 900, 2000] {
            let text = "clips: " + String(repeating: "[", count: depth)
            let problems = try PresetDirectory(["p.yaml": text]).problems()
            #expect(problems.count == 1 && problems[0].contains("the file is nested too deeply"), "\(problems)")
        }
    }
}
