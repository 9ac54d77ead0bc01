import Foundation
import Media
import Render
import TestSupport
import Testing

/// An invalid preset and all lines of its error, without the file name in front.
private struct BadPreset: Sendable, CustomTestStringConvertible {
    let text: String
    let lines: [String]

    init(_ text: String, _ lines: String...) {
        self.text = text
        self.lines = lines
    }

    var testDescription: String { text }
}

private let numberWords = "a number such as 2, 0.25 or 1/3"
private let uniquePath = "a unique path, for example from a 'name' with {placeholders}"
private let formats = ClipFormat.names.joined(separator: ", ")
private let loaders = "iqiyi, qq, qq-pull, qq-mail, preloader, jelly, douyin, oneloading"

private let badPresets: [BadPreset] = [
    // YAML
    BadPreset("", ":1:1: the file is empty; write a preset with 'clips'"),
    BadPreset("hello\n", ":1:1: a preset is malformed: 'hello'; use a mapping of keys to values"),
    BadPreset("- a\n", ":1:1: a preset is malformed: a list; use a mapping of keys to values"),
    BadPreset(
        "clips:\n  - loader: [qq\n    fps: 30\n",
        ":3:8: invalid YAML: while parsing a flow sequence on line 2, did not find expected ',' or ']'"),
    BadPreset(
        "clips:\n\t- loader: qq\n",
        ":2:1: invalid YAML: while scanning for the next token on line 2, found character that cannot start any token; "
            + "indent with spaces instead of tabs, and quote a text that begins with @, ` or %"),
    BadPreset(
        "clips:\n  - loader: qq\n\tfps: 30\n",
        ":3:1: invalid YAML: while scanning a plain scalar on line 2, found a tab character that violates indentation; "
            + "indent with spaces instead of tabs"),
    BadPreset(
        "clips:\n  - loader: qq\n    title: One: two\n",
        ":3:15: invalid YAML: mapping values are not allowed in this context; quote a text that contains ': ', and "
            + "give keys of one mapping the same indentation"),
    BadPreset(
        "clips:\n  - loader: qq\n   fps: 30\n",
        ":3:4: invalid YAML: while parsing a block collection on line 2, did not find expected '-' indicator; give "
            + "keys of one mapping, and items of one list, the same indentation"),
    BadPreset(
        "clips:\n  - loader: qq\n    background: #fff\n",
        ":3:16: 'background' is invalid: nothing; give a CSS colour such as #fff, #2f2e33, #ff000080 or tomato, in "
            + "quotes if it begins with #"),
    BadPreset(
        "defaults:\nclips:\n  - {loader: qq, outputs: [{file: x}]}\n",
        ":1:10: 'defaults' is malformed: nothing; use a mapping of keys to values",
        ":3:28: the output's name has no known extension: 'x'; add 'format', or end the name in .mp4, .mov, .m4v, "
            + ".mkv, .webm, .gif, .apng, .webp, .avif, .y4m, .json or .svg"),
    // Another mistake of the file does not hide an invalid name.
    BadPreset(
        "defaults: {fsp: 30}\nclips:\n  - {loader: qq, name: ../a}\n  - {loader: qq, name: '/{loader}'}\n",
        ":1:12: unknown key 'fsp' in 'defaults'; did you mean 'fps'?",
        ":3:24: 'name' is not a valid path: '../a'; use a path without '..'",
        ":4:24: 'name' is not a valid path: '/{loader}'; use a relative path"),
    BadPreset(
        "clips: \u{1}\n", ":1:8: invalid YAML: control characters are not allowed; remove the character"),
    BadPreset(
        "clips: [{loader: qq}]\n---\na: b\n", ":2:1: the file has two documents; move the second to another file"),
    BadPreset("clips: *b\n", ":1:8: unknown anchor '*b'; define it above with &b"),
    BadPreset(
        "clips: !!seq [{loader: qq}]\n",
        ":1:8: the tag 'tag:yaml.org,2002:seq' is not supported; remove it"),
    BadPreset(
        "clips: [{loader: qq}]\n? [a]\n: b\n", ":2:3: invalid key: a list; use a word"),
    BadPreset(
        "clips: " + String(repeating: "[", count: 3000),
        ":1:23: the file is nested too deeply; use at most 16 levels (--max-depth)"),
    BadPreset(
        "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
            + "d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e]\n",
        ":5:4: the file has too many values; use at most 20000 with aliases expanded (--max-nodes)"),
    // Keys and types, all in one pass
    BadPreset(
        "clip: 3\nclips:\n  - loader: qq\n    fps: 30\n    fps: 60\n    fsp: 30\n    slow-mo: 2\n",
        ":1:1: unknown key 'clip' in a preset; did you mean 'clips'?",
        ":5:5: duplicate key 'fps', first given on line 4",
        ":6:5: unknown key 'fsp' in a clip; did you mean 'fps'?",
        ":7:5: unknown key 'slow-mo' in a clip; did you mean 'slowmo'?"),
    BadPreset(
        "clips:\n  - loader: qq\n    fps: fast\n    slowmo: [1]\n    chapters: yes\n    step: 'true'\n    cycles: 1.5\n"
            + "    size: 33\n    annotate: [phases, clocks]\n    lang: fr\n    hold:\n    background: {}\n",
        ":3:10: 'fps' is invalid: 'fast'; give a frame rate in 0.1...1000 such as 60, 30000/1001 or 59.94",
        ":4:13: 'slowmo' is invalid: a list; give \(numberWords)",
        ":5:15: 'chapters' is invalid: 'yes'; give true or false",
        ":6:11: 'step' is invalid: the text 'true'; give true or false",
        ":7:13: 'cycles' is invalid: '1.5'; give a whole number in 1...10000000",
        ":8:11: 'size' is invalid: '33'; give a size such as 1920x1080",
        ":9:24: 'annotate' is invalid: 'clocks'; did you mean 'clock'?",
        ":10:11: 'lang' is invalid: 'fr'; give en or zh",
        ":11:10: 'hold' is invalid: nothing; give \(numberWords)",
        ":12:17: 'background' is invalid: an empty mapping; give a CSS colour such as #fff, #2f2e33, #ff000080 "
            + "or tomato"),
    BadPreset("name: x\n", ":1:1: the preset has no clips; add 'clips' with a list of clips"),
    BadPreset("clips: []\n", ":1:8: 'clips' is malformed: an empty list; use a list of clips"),
    BadPreset(
        "name: a/b\nclips: [{loader: qq}]\n",
        ":1:7: the preset's name cannot be part of a path: 'a/b'; use letters, digits, '-', '_' and '.'"),
    // Loaders and their parameters
    BadPreset(
        "clips:\n  - loader: qqmail\n  - loader: [qq, zzzzzzzzz]\n  - loader: []\n  - slowmo: 2\n",
        ":2:13: there is no loader 'qqmail'; did you mean 'qq-mail'?",
        ":3:18: there is no loader 'zzzzzzzzz'; use one of \(loaders)",
        ":4:13: 'loader' is empty; give the id of a loader",
        ":5:5: the clip names no loader or tutorial; add 'loader: ' and an id, a list of ids or all, or 'tutorial: ' and a script"
    ),
    BadPreset(
        "clips:\n  - loader: qq-mail\n    set: {radus: 8}\n  - loader: [qq-mail, qq-pull]\n    set: {radius: 800}\n",
        ":3:11: no loader has a parameter 'radus'; did you mean 'radius'?",
        ":5:11: radius=800 is invalid; radius takes 0.5...30 pt (default 6) (with loader qq-mail)",
        ":5:11: qq-pull has no parameter 'radius'; did you mean 'topRadius'? It has color, topRadius, bottomRadius, "
            + "dropStroke, gesture "
            + "(with loader qq-pull)"),
    // Options that cannot be combined
    BadPreset(
        "clips:\n  - loader: qq\n    cycles: 2\n    duration: 3\n    scale: 2\n    size: 64x64\n    step: true\n"
            + "    ramp: 2\n    phase: 1\n    from: 0\n",
        ":4:5: 'cycles' and 'duration' cannot be combined; use one of them",
        ":6:5: 'scale' and 'size' cannot be combined; use one of them",
        ":8:5: 'ramp' and 'step' cannot be combined; use one of them",
        ":10:5: 'from' and 'phase' cannot be combined; use one of them"),
    // Values for which there is no plan, all in one pass
    BadPreset(
        "defaults:\n  gop: 0.01\nclips:\n  - loader: qq-mail\n    size: 33x16\n    slowmo: 5000\n    hold: 9999\n"
            + "    set: {radius: 99, strokeWidth: x}\n    codec: h266\n",
        ":2:3: gop: 0.01 is outside the range 0.05...60 seconds",
        ":5:5: 33x16 is not possible in yuv420p, which needs even sides; use 34x16",
        ":6:5: slowmo: 5000 is outside the range 0.05...1000",
        ":7:5: hold: 9999 is outside the range 0...3600 seconds",
        ":8:11: radius=99 is invalid; radius takes 0.5...30 pt (default 6)",
        ":8:23: strokeWidth=x is invalid; strokeWidth takes 0...10 pt (default 1)",
        ":9:5: codec: this FFmpeg has no encoder 'h266'; did you mean 'h264'?"),
    BadPreset(
        "clips:\n  - loader: qq-mail\n    codec: hevc\n    outputs: [mp4, webm, {format: mov, codec: vp9}]\n",
        ":3:5: codec: webm does not support hevc; use mp4, mov or mkv",
        ":4:40: codec: mov does not support vp9; use mp4, mkv or webm"),
    BadPreset(
        "clips:\n - {loader: qq-mail, phase: 99}\n - {loader: qq-mail, from: 1, to: 0.5, name: b}\n"
            + " - {loader: iqiyi, motion: ticks}\n - {loader: qq, background: '#0000', name: d}\n"
            + " - {loader: qq, step: true, hold: 0, name: e}\n - {loader: qq, duration: 0.001, name: f}\n",
        ":2:22: phase:99: qq-mail has no such phase; use phase:0 to phase:5",
        ":3:22: from: 1 s is not before the end at 0.5 s of model time; use an earlier from or a later to",
        ":4:20: motion: iqiyi has no timer steps; leave it out, or use qq or qq-mail",
        ":5:17: background: transparent needs alpha, which libx264 in yuv420p does not have; use an opaque colour, or "
            + ".webm, .mov, .avif, .webp or .apng",
        ":6:29: step: a hold of 0 s shows no frame; use a longer one",
        ":7:17: the clip is shorter than half a frame at 60 fps; use a longer duration or a higher fps"),
    // Limits
    BadPreset(
        "clips:\n  - {loader: qq, duration: 5000}\n"
            + "  - {loader: qq-mail, to: 36000, set: {tick: 0.0001, ticksPerPhase: 1}}\n",
        ":2:18: the clip has 300000 frames, above the maximum of 100000; make it shorter, or raise --max-frames",
        ":3:23: a pass of the clip has more than 1000 phase boundaries; make it shorter"),
    BadPreset(
        "clips:\n  - {loader: qq, size: 8192x8192, duration: 1600, repetition: off}\n",
        ":2:5: there is too much to draw: 6442 gigapixels up to here; use less than 5000 gigapixels in all (--max-gigapixels)"
    ),
    BadPreset(
        "clips:\n  - loader: all\n    matrix: {fps: [24, 30], slowmo: [\((1...100).map(String.init).joined(separator: ","))]}\n",
        ":3:29: there are too many outputs: 1600; use at most 1000 in all (--max-outputs)"),
    // Matrices
    BadPreset(
        "clips:\n  - loader: qq\n    matrix:\n      loader: [qq]\n      bogus: [1]\n      gop: 3\n      fps: [30, x]\n",
        ":4:7: 'loader' is set both in the clip and in its matrix; use one of them",
        ":5:7: unknown key 'bogus' in a matrix; use loader, an option of encode or set.PARAMETER",
        ":6:12: the matrix is malformed at 'gop': '3'; use a list of values",
        ":7:17: 'fps' is invalid: 'x'; give a frame rate in 0.1...1000 such as 60, 30000/1001 or 59.94"),
    // Names
    BadPreset(
        "clips:\n  - {loader: qq, name: ../x}\n  - {loader: qq, name: /etc/x}\n  - {loader: qq, name: a//b}\n"
            + "  - {loader: qq, name: .loadervid/manifest}\n  - {loader: qq, name: \"a\\nb\"}\n"
            + "  - {loader: qq, name: '{lodaer}'}\n  - {loader: qq, name: '{hold}'}\n  - {loader: qq, name: 'a{b'}\n"
            + "  - {loader: qq, outputs: [{file: ../../x.mp4}]}\n",
        ":2:24: 'name' is not a valid path: '../x'; use a path without '..'",
        ":3:24: 'name' is not a valid path: '/etc/x'; use a relative path",
        ":4:24: 'name' is not a valid path: 'a//b'; put a name between two slashes",
        ":5:24: 'name' is not a valid path: '.loadervid/manifest'; use names that do not begin with '.'",
        ":6:24: 'name' is not a valid path: 'a\\nb'; remove control characters, direction marks and backslashes",
        ":7:24: 'name' has an unknown placeholder: '{lodaer}'; did you mean {loader}?",
        ":8:24: 'name' has a placeholder without a value: '{hold}'; use one of this clip's: {fps}, {lang}, {loader}, "
            + "{preset}, {size}, {slowmo}",
        ":9:24: 'name' has an unmatched brace: 'a{b'; write placeholders as {loader}",
        ":10:35: 'file' is not a valid path: '../../x.mp4'; use a path without '..'"),
    BadPreset(
        "clips:\n  - {loader: qq, name: x}\n  - {loader: qq, outputs: [mp4, mp4]}\n  - {loader: iqiyi, name: x.mp4/y}\n"
            + "  - {loader: [qq, iqiyi], name: same}\n",
        ":3:28: warning: 'p/qq.mp4' is identical to 'x.mp4' except for its name: the same options; "
            + "remove one of them",
        ":3:33: two outputs have the same path: 'p/qq.mp4', also at FILE:3:28; add a 'suffix' to one, such as "
            + "{format: mp4, suffix: -mp4}",
        ":4:5: an output's directory is another output: 'x.mp4', also at FILE:2:5; use \(uniquePath)",
        ":5:5: two outputs have the same path: 'same.mp4' twice; use \(uniquePath)",
        ":5:5: warning: 'same.mp4' is identical to 'x.mp4' except for its name: the same options; "
            + "remove one of them"),
    // Outputs
    BadPreset(
        "clips:\n  - loader: qq\n    outputs: [avi, {format: webm, fps: 30}, {file: x.avi}, {}]\n",
        ":3:15: there is no format 'avi'; did you mean 'avif'?",
        ":3:35: unknown key 'fps' in an output; use an encoding option, since the outputs of a clip share its frames",
        ":3:45: the output's name has no known extension: 'x.avi'; add 'format', or end the name in .mp4, .mov, .m4v, "
            + ".mkv, .webm, .gif, .apng, .webp, .avif, .y4m, .json or .svg",
        ":3:60: the output has no format; add 'format: ' and one of \(formats)"),
    // Files
    BadPreset(
        "extends: [missing.yaml, ../x.yaml, /etc/passwd, p.yaml]\nclips: [{loader: qq}]\n",
        ":1:11: 'extends' names 'missing.yaml', which does not exist; use a file beside or below the preset, or the name of a shipped one",
        ":1:25: 'extends' leaves the preset's directory: '../x.yaml'; use a preset beside or below this one, or the name "
            + "of a shipped one",
        ":1:36: 'extends' leaves the preset's directory: '/etc/passwd'; use a preset beside or below this one, or the "
            + "name of a shipped one",
        ":1:49: the presets extend each other in a circle: 'p.yaml'; remove one 'extends'"
    ),
    BadPreset(
        "clips:\n  - {loader: douyin, set: {cover: p.yaml, noteSize: 99}}\n",
        ":2:28: image p.yaml cannot be read: its format is unknown; use PNG, JPEG, WebP, GIF, BMP, "
            + "TIFF, JPEG 2000, JPEG XL, QOI, PPM, PGM or PBM",
        ":2:43: noteSize=99 is invalid; noteSize takes 1...30 pt (default 10)"),
]

@Suite struct BadPresetTests {
    @Test(arguments: badPresets)
    private func badPresetsAreRejectedWithAllProblems(_ preset: BadPreset) throws {
        let workspace = try CommandFixture()
        try makeFile(preset.text, at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["presets", "validate", "p.yaml"])
        #expect(outcome.code == 65)
        #expect(
            outcome.errorLines == preset.lines.map { "p.yaml" + $0.replacingOccurrences(of: "FILE", with: "p.yaml") })
        #expect(outcome.output.isEmpty)
    }

    @Test func invalidBytesAreLocated() throws {
        let workspace = try CommandFixture()
        let head = Array("clips:\n  - ü".utf8)
        let cases: [([UInt8], String)] = [
            ([0xFF, 0xFE], "p.yaml:2:6: the file is not UTF-8: it has the byte 255; save it as UTF-8"),
            ([0xC0, 0xAF], "p.yaml:2:6: the file is not UTF-8: it has the byte 192; save it as UTF-8"),
            ([0], "p.yaml:2:6: invalid YAML: control characters are not allowed; remove the character"),
        ]
        for (bytes, line) in cases {
            try Data(head + bytes).write(to: URL(fileURLWithPath: workspace.directory.file("p.yaml")))
            #expect(try workspace.run(["presets", "validate", "p.yaml"]).errorLines == [line])
        }
    }

    @Test func onlyRegularFilesAreRead() throws {
        let workspace = try CommandFixture()
        _ = try workspace.shell("mkdir DIR && mkfifo FIFO && ln -s nowhere LINK && head -c 1048577 /dev/zero >BIG")
        let refusals: [(String, Int32, String)] = [
            ("gone.yaml", 66, "gone.yaml does not exist; check the path"),
            ("LINK", 66, "there is no preset 'LINK'; run 'loadervid presets list' to list the presets"),
            ("DIR", 65, "DIR is not a regular file; use a preset in YAML"),
            ("FIFO", 65, "FIFO is not a regular file; use a preset in YAML"),
            ("/dev/zero", 65, "/dev/zero is not a regular file; use a preset in YAML"),
            ("BIG", 65, "BIG is larger than the maximum of 1048576 bytes for a preset; raise --max-preset-bytes"),
        ]
        for (name, code, line) in refusals {
            let outcome = try workspace.run(["presets", "validate", name])
            #expect(outcome.code == code)
            #expect(outcome.errorLines == ["loadervid: \(line)"])
        }
    }

    @Test func filesAreCheckedTogether() throws {
        let workspace = try CommandFixture()
        try makeFile("name: x\nclips: [{loader: qq}]\n", at: workspace.directory.file("a.yaml"))
        try makeFile("name: x\nclips: [{loader: qq}, {fps: 0}]\n", at: workspace.directory.file("b.yaml"))
        let outcome = try workspace.run(["presets", "validate", "gone.yaml", "b.yaml", "a.yaml", "b.yaml"])
        #expect(outcome.code == 65)
        #expect(
            outcome.errorLines == [
                "loadervid: gone.yaml does not exist; check the path",
                "b.yaml:2:29: 'fps' is invalid: '0'; give a frame rate in 0.1...1000 such as 60, 30000/1001 or 59.94",
                "a.yaml:2:9: two outputs have the same path: 'x/qq.mp4', also at b.yaml:2:9; use \(uniquePath)",
            ])
    }
}
