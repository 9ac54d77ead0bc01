import TestSupport
import Testing

/// Mistakes on the command line have one form of message: the option or argument, the problem, and
/// a remedy to type.
@Suite struct ParserMessageTests {
    private static let mistakes: [(arguments: [String], words: String)] = [
        (["encode", "qq", "clip.mp4"], "unexpected argument 'clip.mp4'; to write to it, pass -o clip.mp4"),
        (["tutorial", "jelly", "how.mp4"], "unexpected argument 'how.mp4'; to write to it, pass -o how.mp4"),
        (["encode", "qq", "clip.mp4", "-o", "a.mp4"], "unexpected argument 'clip.mp4' (see loadervid encode --help)"),
        (["verify", "--strict", "a.mp4", "--junit", "a.xml", "--fps"], "missing value for --fps <rate> (see"),
        (["encode", "qq", "iqiyi", "-o", "a.mp4"], "unexpected argument 'iqiyi' (see loadervid encode --help)"),
        (
            ["encode", "qq", "--title", "Two", "words", "-o", "a.mp4"],
            "unexpected argument 'words'; quote its value: --title \"Two words\""
        ),
        (
            ["encode", "qq", "--title", "One", "two", "three", "-o", "a.mp4"],
            "unexpected arguments 'two', 'three'; quote its value: --title \"One two three\""
        ),
        (
            ["encode", "qq", "--max-bytes", "2", "MB", "-o", "a.mp4"],
            "unexpected argument 'MB'; write its value without spaces: --max-bytes 2MB"
        ),
        (
            ["encode", "qq", "--annotate", "phases", "clock", "-o", "a.mp4"],
            "unexpected argument 'clock'; write its value without spaces: --annotate phases,clock"
        ),
        (["encode", "qq", "--codec", "h264", "iqiyi", "-o", "a.mp4"], "unexpected argument 'iqiyi' (see"),
        (["encode", "qq", "--slowmo", "4", "2", "-o", "a.mp4"], "unexpected argument '2' (see"),
        (
            ["encode", "qq", "--annotate", "phases,", "clock", "-o", "a.mp4"],
            "--annotate: 'phases,' is invalid: an entry of the list is empty; write the list without spaces"
        ),
        (
            ["batch", "web", "-o", "-clips"],
            "missing value for -o <directory>; for a name that begins with -, write ./-NAME (see loadervid batch"
        ),
        (["encode"], "missing argument <loader> (see loadervid encode --help)"),
        (["still", "qq"], "missing option --output <file> (see loadervid still --help)"),
        (["telemetry", "qq"], "missing option --fps <rate> (see loadervid telemetry --help)"),
        (
            ["encode", "qq", "--background"],
            "missing value for --background <color>; quote a colour that begins with #, such as '#fff' (see"
        ),
        (["encode", "qq", "--slowmo", "4x"], "--slowmo: '4x' is invalid; give a number such as 2, 0.25 or 1/3 (see"),
        (["encode", "qq", "--slowmo", "-1"], "--slowmo: -1 is negative; give a number such as 2, 0.25 or 1/3 (see"),
        (
            ["encode", "qq", "--slowmo", "1/0"],
            "--slowmo: '1/0' is invalid: the denominator is 0; give a number such as 2, 0.25 or 1/3 (see"
        ),
        (
            ["encode", "qq", "--annotate", "label"],
            "--annotate: there is no 'label'; did you mean 'labels'? Give all, or a list of phases, "
        ),
        (
            ["encode", "qq", "--timing", "seamles"],
            "--timing: 'seamles' is invalid; did you mean 'seamless'? Give seamless or exact (see"
        ),
        // One wrong character of two is not a typo.
        (["encode", "qq", "--lang", "cn"], "--lang: 'cn' is invalid; give en or zh (see"),
        (["encode", "qq", "--jobs", "many"], "--jobs: 'many' is invalid; give a whole number (see"),
        (["analyze", "a.mp4", "--as", "scss"], "--as: 'scss' is invalid; give 'lottie', 'css' or 'swift' (see"),
        (["encode", "qq", "-slowmo", "4"], "unknown option -slowmo; did you mean --slowmo? (see"),
        (["-v"], "unknown option -v; did you mean --version? (see loadervid --help)"),
        (["encode", "qq", "-y"], "unknown option -y; did you mean --force? (see"),
        (["encode", "qq", "--crf", "20"], "unknown option --crf; did you mean --quality? (see"),
        (["tutorial", "qq", "--size", "640x360"], "unknown option --size; did you mean --layout? (see"),
        (["encode", "qq", "", "", "-o", "a.mp4"], "unexpected arguments '', ''"),
        (["encode", "qq", "my clip.mp4"], "'my clip.mp4'; to write to it, pass -o \"my clip.mp4\""),
        (["encode", "qq", "a$b.mp4"], "to write to it, pass -o 'a$b.mp4'"),
        (["encode", "qq", "--title", "A", "$B", "-o", "a.mp4"], "quote its value: --title 'A $B'"),
        (["version"], "unknown command 'version'; did you mean '--version'?"),
        (
            ["encode", "qq", "--motion-blur", "180", "-o", "a.mp4"],
            "motion-blur: 180 is outside the range 0...1 of a frame; for a shutter angle of 180 degrees, use 0.5"
        ),
        (
            ["encode", "qq", "--scale", "900", "-o", "a.mp4"],
            "scale: frames of 216000x216000 pixels are outside the range 16...8192 pixels per side"
        ),
        (
            ["encode", "qq", "--profile", "4444", "-o", "a.mp4"],
            "profile: libx264 has no profiles by name; use --codec prores"
        ),
        (
            ["encode", "qq", "--codec", "prores", "--profile", "444", "-o", "a.mov"],
            "profile: prores_ks has no profile '444'; did you mean '4444'? There are proxy, lt, standard, hq, 4444, 4444xq"
        ),
        (
            ["encode", "qq", "--codec", "vp8", "--bit-depth", "10", "-o", "a.webm"],
            "bit-depth: libvpx has no format like yuv420p with 10 bits; leave it out"
        ),
        (["encode", "notes.txt"], "there is no loader 'notes.txt'; there are iqiyi, "),
        (["encode", "-"], ", oneloading, and files that end in .json, .lottie, .tgs"),
    ]

    @Test(arguments: mistakes)
    private func theMessageHasARemedy(arguments: [String], words: String) throws {
        let outcome = try CommandFixture().run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("loadervid: ") && outcome.errorText.contains(words), "\(outcome.errorText)")
    }

    @Test func aDirectoryNeedsASlash() throws {
        let workspace = try CommandFixture()
        _ = try workspace.shell("mkdir clips")
        let outcome = try workspace.run(["encode", "qq", "-o", "clips"])
        expectRefusal(outcome, 64, ["the output 'clips' is a directory; to write qq.mp4 in it, pass -o clips/"])
    }

    private static let missingFiles: [(arguments: [String], words: String)] = [
        (["encode", "spiner.json", "-o", "a.mp4"], "did you mean 'spinner.json'?"),
        (["encode", "art/spiner.json", "-o", "a.mp4"], "did you mean 'art/spinner.json'?"),
        (["encode", "qq", "--mark", "lgo.png", "-o", "a.mp4"], "did you mean 'logo.png'?"),
        (["encode", "douyin", "--set", "cover=lgo.png", "-o", "a.mp4"], "did you mean 'logo.png'?"),
        (["encode", "qq", "--audio=voise.wav", "-o", "a.mp4"], "did you mean 'voice.wav'?"),
        (["diff", "clop.mp4", "clip.mp4"], "did you mean 'clip.mp4'?"),
        (["presets", "validate", "stie.yaml"], "loadervid: stie.yaml does not exist; did you mean 'site.yaml'?"),
        (["tutorial", "check", "stie.yaml"], "loadervid: stie.yaml does not exist; did you mean 'site.yaml'?"),
    ]

    /// A missing file suggests the file beside it that has a similar name.
    @Test(.slow, arguments: missingFiles)
    private func aSimilarFileIsSuggested(arguments: [String], words: String) throws {
        let workspace = try CommandFixture()
        _ = try workspace.shell("mkdir art")
        for name in [
            "spinner.json", "art/spinner.json", "logo.png", "voice.wav", "clip.mp4", "site.yaml", ".stie.yaml",
        ] {
            try makeFile("x", at: workspace.directory.file(name))
        }
        let outcome = try workspace.run(arguments)
        #expect(outcome.code == 66 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
        #expect(!(try CommandFixture().run(arguments)).errorText.contains("did you mean"))
    }

    /// A file of another format is bad data, not a fault of the program.
    @Test func snippetRefusesATextFile() throws {
        let workspace = try CommandFixture()
        try makeFile("hello\n", at: workspace.directory.file("text.mp4"))
        expectRefusal(
            try workspace.run(["snippet", "text.mp4"]), 65,
            ["text.mp4 does not contain MP4; check its name"])
    }
}
