import Loaders
import Testing

/// Problems stand where the option stands that is to blame, whatever words their lines hold.
@Suite struct BlameTests {
    /// The names of files are no topics: once a picture called `chapters` brought the blame to that option.
    @Test(arguments: ["chapters", "the transparency", "a picture of", "stepping needs", "cannot hold"])
    func namesInLinesMeanNothing(name: String) throws {
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
        #expect(problems == ["p.yaml:9:7: there is no picture '\(name)'"])
    }

    /// Paths are relative to their preset, for parameters of all types that take them.
    @Test func pathsOfOwnParametersAreThePresets() throws {
        let hue = Parameter("hue", 0, defaultText: "plain", limits: "a path", summary: "", takesPath: true) {
            (text, loadImage) throws(ParameterError) in
            text == "plain" ? 0 : try loadImage(text).width
        }
        let own = LoaderDefinition(id: "own", title: "Own", parameters: [hue]) { _ in QQMail() }
        try LoaderCatalog.$current.withValue(.builtIn.adding([own])) {
            let preset = try PresetDirectory(["p.yaml": "clips: [{loader: own, set: {hue: a.png}}]", "a.png": "text"])
            // It is found, and is no picture.
            #expect(preset.problems().first?.contains("'a.png' is no picture that can be read") == true)
            #expect(try clips("clips: [{loader: own, set: {hue: plain}}]").count == 1)
        }
    }

    /// Of parameters that do not fit together, one that is given.
    @Test func whatIsNotGivenIsNotToBlame() throws {
        let text = """
            clips:
              - {loader: qq-pull, set: {topRadius: 5}}
              - {loader: qq-pull, set: {topRadius: 11, bottomRadius: 12}, name: b}
              - {loader: qq-pull, to: phase:9, name: c}
            """
        let problems = try PresetDirectory(["p.yaml": text]).problems()
        #expect(problems.map { $0.prefix(11) } == ["p.yaml:2:29", "p.yaml:3:44", "p.yaml:4:23"])
    }

    /// Deep nesting is told by its depth.
    @Test func nestingIsTooDeepBelowTheParsersOwnLimit() throws {
        for depth in [17, 900, 2000] {
            let text = "clips: " + String(repeating: "[", count: depth)
            let problems = try PresetDirectory(["p.yaml": text]).problems()
            #expect(problems.count == 1 && problems[0].contains("the file is nested too deeply"), "\(problems)")
        }
    }
}
