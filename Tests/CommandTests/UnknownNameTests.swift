import TestSupport
import Testing

/// Unknown names suggest the most similar known name, with the same wording everywhere.
@Suite struct UnknownNameTests {
    @Test(arguments: [
        ("encode qq --slowmotion 4 -o a.mp4", 64, "unknown option --slowmotion; did you mean --slowmo?"),
        ("encode qq --anotate=all -o a.mp4", 64, "unknown option --anotate; did you mean --annotate?"),
        ("batch web --out dir", 64, "unknown option --out; did you mean --output?"),
        ("batch web --no-wiat", 64, "unknown option --no-wiat; did you mean --no-wait?"),
        ("tutorial qq --captoins both -o a.mp4", 64, "unknown option --captoins; did you mean --captions?"),
        (
            "presets list --jsno", 64,
            "unknown option --jsno; did you mean --json? (see loadervid presets list --help)"
        ),
        ("--versio", 64, "unknown option --versio; did you mean --version?"),
        ("encode qq --zzzzzz -o a.mp4", 64, "unknown option --zzzzzz (see loadervid encode --help)"),
        ("encode qq -z -o a.mp4", 64, "unknown option -z (see loadervid encode --help)"),
        ("encod qq -o a.mp4", 64, "unknown command 'encod'; did you mean 'encode'?"),
        ("zzzz qq -o a.mp4", 64, "unknown command 'zzzz'; use one of encode, still, sheet"),
        ("help encod", 64, "unknown command 'encod'; did you mean 'encode'?"),
        ("presets lst", 64, "unknown command 'presets lst'; did you mean 'presets list'?"),
        ("batch merg out", 64, "unknown command 'batch merg'; did you mean 'batch merge'?"),
        ("tutorial chek my.yaml", 64, "unknown command 'tutorial chek'; did you mean 'tutorial check'?"),
        ("encode qqmail -o a.mp4", 64, "there is no loader 'qqmail'; did you mean 'qq-mail'? There are iqiyi, "),
        ("encode qq -o x.wbem", 64, "; did you mean x.webm?"),
        ("encode qq --layout sqare -o a.mp4", 64, "did you mean 'square'?"),
        ("encode qq --progress plian -o a.mp4", 64, "did you mean 'plain'? Use auto, bar, plain, json or none"),
        ("encode qq --speed ultrfast -o a.mp4", 64, "; did you mean 'ultrafast'?"),
        ("presets show wbe", 66, "there is no preset 'wbe'; did you mean 'web'?"),
        ("batch reamde", 66, "there is no preset 'reamde'; did you mean 'readme'?"),
        ("tutorial jely -o a.mp4", 66, "there is no script 'jely'; did you mean 'jelly'?"),
        ("tutorial slowly", 66, "there is no script 'slowly'; use one of douyin, iqiyi, jelly,"),
        ("encode qq --codec hvec -o a.mp4", 69, "did you mean 'hevc'?"),
        ("encode qq --format webb -o a.mp4", 64, "did you mean 'webm'?"),
        (
            "encode qq-mail --set radus=5 -o a.mp4", 64,
            "qq-mail has no parameter 'radus'; did you mean 'radius'? It has radius, "
        ),
        ("encode qq-mail --set zzzzz=5 -o a.mp4", 64, "qq-mail has no parameter 'zzzzz'; it has radius, "),
        ("encode qq-mail --annotate clok -o a.mp4", 64, "there is no 'clok'; did you mean 'clock'?"),
        ("encode qq-mail --timing seamles -o a.mp4", 64, "did you mean 'seamless'?"),
    ])
    func theNearestNameIsSuggested(command: String, code: Int32, words: String) throws {
        let outcome = try CommandFixture().run(command.split(separator: " ").map(String.init))
        #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome.errorText)")
        #expect(outcome.errorLines.count == 1 && outcome.errorText.contains(words), "\(outcome.errorText)")
    }

    /// A number that looks valid is rejected with the violated limit.
    @Test(arguments: [
        ("--fps 59999999/999983", "the denominator 999983 is above the maximum of 100000; give a frame rate"),
        ("--from phase:-1", "--from: 'phase:-1' is invalid: -1 is below the minimum of 0; give seconds"),
    ])
    func limitsAreNamed(option: String, words: String) throws {
        let arguments = "encode qq \(option) -o a.mp4".split(separator: " ").map(String.init)
        expectRefusal(try CommandFixture().run(arguments), 64, [words])
    }

    /// Unknown keys of presets and lessons get suggestions, too.
    @Test func keysAreSuggestedToo() throws {
        let workspace = try CommandFixture()
        try makeFile("clips: [{loader: qq, colour: p3}]\n", at: workspace.directory.file("p.yaml"))
        let preset = try workspace.run(["presets", "validate", "p.yaml"])
        #expect(preset.code == 65 && preset.errorText.contains("unknown key 'colour' in a clip; did you mean 'color'?"))
        try makeFile("tutorial: qq\nstepps: [play: 1]\n", at: workspace.directory.file("s.yaml"))
        let lesson = try workspace.run(["tutorial", "check", "s.yaml"])
        #expect(lesson.code == 65)
        #expect(lesson.errorText.contains("unknown key 'stepps' in a tutorial; did you mean 'steps'?"))
    }

    /// A document for another command gets one line that names the command.
    @Test func documentsOfOtherCommandsAreNamed() throws {
        let workspace = try CommandFixture()
        try makeFile("name: a\nclips: [{loader: qq}]\n", at: workspace.directory.file("p.yaml"))
        try makeFile("tutorial: qq\nsteps: [play: 1]\n", at: workspace.directory.file("s.yaml"))
        for (command, file, message) in [
            ("batch", "s.yaml", "this is a script of a lesson, not a preset; use the command 'tutorial'"),
            ("tutorial", "p.yaml", "this is a preset, not a script of a lesson; use the command 'batch'"),
        ] {
            let outcome = try workspace.run([command, file])
            #expect(outcome.code == 65 && outcome.errorText == "\(file):2:1: \(message)\n", "\(outcome.errorText)")
        }
    }

    /// A file or preset with a name similar to a command is still found.
    @Test func filesComeBeforeCommands() throws {
        let workspace = try CommandFixture()
        try makeFile("clips: [{loader: qq-mail, size: 32x16, fps: 10}]\n", at: workspace.directory.file("merg"))
        let outcome = try workspace.run(["batch", "merg", "--dry-run"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
    }

    /// A misspelled preset in `extends` suggests a shipped one.
    @Test func extendedPresetsAreSuggestedToo() throws {
        let workspace = try CommandFixture()
        try makeFile("extends: wbe\nclips: [{loader: qq}]\n", at: workspace.directory.file("p.yaml"))
        let outcome = try workspace.run(["presets", "validate", "./p.yaml"])
        #expect(outcome.errorText.contains("did you mean 'web'?"), "\(outcome.errorText)")
    }

    @Test func everySubcommandIsListed() throws {
        let help = try CommandFixture().run(["presets", "--help"]).text
        for name in ["validate", "list", "show", "schema", "reference"] { #expect(help.contains("\n  \(name) ")) }
    }
}
