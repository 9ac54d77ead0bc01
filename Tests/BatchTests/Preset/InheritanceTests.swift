import Batch
import Core
import Render
import TestSupport
import Testing

@Suite struct InheritanceTests {
    private static let clip = "clips: [{loader: qq}]\n"

    /// A clip's own value wins over the child's defaults, which win over the parent's.
    @Test(arguments: [
        ("{fps: 24}", "{}", "{}", "24"), ("{fps: 24}", "{fps: 25}", "{}", "25"),
        ("{fps: 24}", "{fps: 25}", "{fps: 30}", "30"), ("{fps: 24}", "{}", "{fps: 30}", "30"),
        ("{fps: 24}", "{fps: ~}", "{}", nil), ("{fps: 24}", "{fps: 25}", "{fps: null}", nil),
        ("{fps: 24}", "{fps: ~}", "{fps: 30}", "30"),
    ])
    func theClosestWins(parent: String, child: String, clip: String, fps: String?) throws {
        let directory = try PresetDirectory([
            "base.yaml": "defaults: \(parent)\n",
            "p.yaml": "extends: base.yaml\ndefaults: \(child)\nclips: [{loader: qq, \(clip.dropFirst().dropLast())}]\n",
        ])
        let output = try #require(try directory.read("p.yaml").first?.outputs.first)
        #expect(output.options["fps"] == fps)
        #expect("\(output.request.frameRate)" == fps ?? "60")
    }

    /// An option replaces inherited ones that it cannot be combined with.
    @Test(arguments: [
        ("cycles: 3", "duration: 2", ["duration": "2"]), ("duration: 2", "cycles: 3", ["cycles": "3"]),
        ("scale: 2", "size: 64x64", ["size": "64x64"]), ("size: 64x64", "scale: 1", ["scale": "1"]),
        ("from: 0.1, to: 0.5", "phase: 1", ["phase": "1"]), ("phase: 1", "from: 0.1", ["from": "0.1"]),
        ("ramp: 2", "step: true", ["step": "true"]), ("ramp: 2", "step: false", ["ramp": "2", "step": "false"]),
        ("step: true", "ramp: 2", ["ramp": "2"]), ("motion: ticks", "set: {motion: smooth}", ["set.motion": "smooth"]),
        ("set: {radius: 5, offset: 20}", "set: {radius: 7}", ["set.radius": "7", "set.offset": "20"]),
        ("set: {radius: 5, offset: 20}", "set: {radius: ~}", ["set.offset": "20"]),
        // A null removes its own option only.
        ("duration: 2", "cycles: ~", ["duration": "2"]), ("size: 64x64", "scale: ~", ["size": "64x64"]),
        ("pixel-format: yuv444p", "bit-depth: 10", ["bit-depth": "10"]),
        ("pixel-format: yuv444p", "outputs: [{format: mp4, bit-depth: 10}]", ["bit-depth": "10"]),
    ])
    func ownOptionsReplaceConflictingInheritedOnes(inherited: String, own: String, expected: [String: String]) throws {
        let made = try clips("defaults: {\(inherited)}\nclips: [{loader: qq-mail, \(own)}]\n")
        #expect(made[0].outputs[0].options == expected.merging(["loader": "qq-mail"]) { $1 })
    }

    @Test func aChildMayOnlyChangeDefaults() throws {
        let directory = try PresetDirectory([
            "base.yaml": "name: base\ndefaults: {fps: 24, outputs: [webm]}\nclips: [{loader: [qq, iqiyi]}]\n",
            "quick/base.yaml": "defaults: {scale: 1}\nclips: [{loader: jelly}]\n",
            "p.yaml": "extends: [base.yaml, quick/base.yaml]\ndefaults: {slowmo: 2}\n",
        ])
        let made = try directory.read("p.yaml")
        // Clips come from the last parent that has some. Names are not inherited.
        #expect(made.map(\.name) == ["p/jelly"])
        #expect(made[0].outputs[0].path == "p/jelly.webm")
        #expect(made[0].outputs[0].options == ["loader": "jelly", "fps": "24", "scale": "1", "slowmo": "2"])
    }

    @Test func aMatrixReplacesInheritedOptions() throws {
        let made = try clips(
            "defaults: {scale: 2, fps: 24}\nclips: [{loader: qq, matrix: {size: [64x64], fps: [30]}}]\n")
        #expect(made[0].outputs[0].options == ["loader": "qq", "size": "64x64", "fps": "30"])
    }

    @Test func cyclesAndLongChainsAreRejected() throws {
        var files = ["a.yaml": "extends: b.yaml\n", "b.yaml": "extends: a.yaml\n", "p.yaml": "extends: a.yaml\n"]
        for number in 0..<60 { files["chain\(number).yaml"] = "extends: chain\(number + 1).yaml\n" }
        files["chain60.yaml"] = Self.clip
        let directory = try PresetDirectory(files)
        #expect(
            directory.problems() == [
                "b.yaml:1:10: the presets extend each other in a circle: 'a.yaml'; remove one 'extends'"
            ])
        #expect(
            directory.problems("chain0.yaml") == [
                "chain32.yaml:1:10: too many files are extended: 'chain33.yaml'; use at most 32 in all"
            ])
        #expect(throws: Never.self) { try directory.read("chain40.yaml") }
    }

    @Test func linksOutsideAreRejected() throws {
        let secret = try PresetDirectory(["secret.yaml": Self.clip])
        let directory = try PresetDirectory(["p.yaml": "extends: link.yaml\n"])
        try run("ln", ["-s", secret.directory.file("secret.yaml"), directory.directory.file("link.yaml")])
        let problems = directory.problems()
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("p.yaml:1:10: 'extends' leaves the preset's directory through a link"))
    }
}
