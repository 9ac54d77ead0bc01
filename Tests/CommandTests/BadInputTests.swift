import Foundation
import TestSupport
import Testing

/// An invalid command line, its exit code, and words in its one-line error.
private struct BadInput: Sendable, CustomTestStringConvertible {
    let line: String
    let code: Int32
    let words: [String]

    init(_ line: String, _ code: Int32, _ words: String...) {
        self.line = line
        self.code = code
        self.words = words
    }

    var testDescription: String { line }
}

/// `DIR` is a directory, `OLD.mp4` an existing file, and `TEXT.png` not an image.
private let badInputs: [BadInput] = [
    BadInput("encode qqmail -o a.mp4", 64, "qqmail", "did you mean 'qq-mail'"),
    BadInput("encode iqyi -o a.mp4", 64, "did you mean 'iqiyi'"),
    BadInput("encode jelly.jsn -o a.mp4", 64, "'jelly.jsn'; there are iqiyi", "files that end in .json"),
    BadInput("encode qq -o a.mp4 -o b.webm", 64, "'a.mp4' and 'b.webm'", "one file"),
    BadInput("qq -o a.mp4", 64, "unknown command 'qq'; did you mean 'encode qq'?"),
    BadInput("spinner.json -o a.mp4", 64, "did you mean 'encode spinner.json'?"),
    BadInput("encode qq -o .mp4", 64, "no name before its extension", "clip.mp4"),
    BadInput("encode qq -o a.avi", 64, "did you mean a.mp4?"),
    BadInput("encode qq -o frames/%04d.bmp", 64, "does not end in .png, .tif, .webp or .jpg"),
    BadInput("still qq --at 101% -o a.png", 64, "101% is above the maximum of 100%"),
    BadInput("still qq --at x% -o a.png", 64, "'x%' is invalid", "a percentage such as 50%"),
    BadInput("encode zzzzzzzz -o a.mp4", 64, "there are iqiyi, qq, qq-pull"),
    BadInput("encode qq-mail --size 33x16 -o a.mp4", 64, "33x16", "34x16", "yuv420p"),
    BadInput("encode qq-mail --size 64x35 -o a.webm", 64, "64x35", "64x36"),
    BadInput("encode qq-mail --layout 123x61 -o a.mp4", 64, "123x61", "even", "124x62"),
    BadInput("encode qq-mail --slowmo 0 -o a.mp4", 64, "slowmo", "0.05...1000"),
    BadInput("encode qq-mail --slowmo -2 -o a.mp4", 64, "slowmo", "-2"),
    BadInput("encode qq-mail --slowmo 1001 -o a.mp4", 64, "slowmo", "0.05...1000"),
    BadInput("encode qq-mail --slowmo nan -o a.mp4", 64, "slowmo", "nan"),
    BadInput("encode qq-mail --slowmo 1/0 -o a.mp4", 64, "slowmo", "1/0"),
    BadInput("encode qq-mail --slowmo 1e9 -o a.mp4", 64, "slowmo", "1e9"),
    BadInput("encode qq-mail --slowmo inf -o a.mp4", 64, "slowmo", "inf"),
    BadInput("encode qq-mail --fps 0 -o a.mp4", 64, "fps", "0"),
    BadInput("encode qq-mail --fps -60 -o a.mp4", 64, "fps", "-60"),
    BadInput("encode qq-mail --fps 100000 -o a.mp4", 64, "fps", "100000"),
    BadInput("encode qq-mail --fps fast -o a.mp4", 64, "fps", "fast"),
    BadInput("encode qq-mail --fps 30000/0 -o a.mp4", 64, "fps", "30000/0"),
    BadInput("encode qq-mail --size 0x0 -o a.mp4", 64, "0x0"),
    BadInput("encode qq-mail --size -64x32 -o a.mp4", 64, "-64x32"),
    BadInput("encode qq-mail --size 100000x100000 -o a.mp4", 64, "100000x100000", "8192"),
    BadInput("encode qq-mail --size 64 -o a.mp4", 64, "size", "64"),
    BadInput("encode qq-mail --size 9999999999999999999x2 -o a.mp4", 64, "size"),
    BadInput("encode qq-mail --scale 0 -o a.mp4", 64, "scale"),
    BadInput("encode qq-mail --scale -4 -o a.mp4", 64, "scale", "-4"),
    BadInput("encode qq-mail --scale 1 --size 64x32 -o a.mp4", 64, "--scale and --size"),
    BadInput("encode qq-mail --cycles 0 -o a.mp4", 64, "cycles", "1..."),
    BadInput("encode qq-mail --cycles -1 -o a.mp4", 64, "cycles", "-1"),
    BadInput("encode qq-mail --cycles 1.5 -o a.mp4", 64, "cycles", "1.5"),
    BadInput("encode qq-mail --cycles 10000000 -o a.mp4", 64, "frames", "10000000"),
    BadInput("encode qq-mail --cycles 99999999999999999999 -o a.mp4", 64, "cycles"),
    BadInput("encode qq-mail --cycles 1 --duration 1 -o a.mp4", 64, "--cycles and --duration"),
    BadInput("encode qq-mail --duration 0 -o a.mp4", 64, "duration"),
    BadInput("encode qq-mail --duration -1 -o a.mp4", 64, "duration", "-1"),
    BadInput("encode qq-mail --duration 0.001 -o a.mp4", 64, "half a frame"),
    BadInput("encode qq-mail --duration 999999999 -o a.mp4", 64, "10000000"),
    BadInput("encode qq-mail --gop 0 -o a.mp4", 64, "gop", "0.05...60"),
    BadInput("encode qq-mail --gop 61 -o a.mp4", 64, "gop", "0.05...60"),
    BadInput("encode qq-mail --gop x -o a.mp4", 64, "gop", "x"),
    BadInput("encode qq-mail --jobs 0 -o a.mp4", 64, "jobs", "1...256"),
    BadInput("encode qq-mail --jobs -3 -o a.mp4", 64, "jobs", "1...256"),
    BadInput("encode qq-mail --jobs many -o a.mp4", 64, "jobs", "many"),
    BadInput("encode qq-mail --timing loose -o a.mp4", 64, "timing", "loose"),
    BadInput("encode qq-mail --progress loud -o a.mp4", 64, "progress", "loud"),
    BadInput("encode qq-mail --set colour=red -o a.mp4", 64, "'colour'", "radius"),
    BadInput("encode qq-mail --set radius -o a.mp4", 64, "radius", "key=value"),
    BadInput("encode qq-mail --set radius=1000 -o a.mp4", 64, "radius=1000", "0.5...30"),
    BadInput("encode qq-mail --set red=reddish -o a.mp4", 64, "red=reddish", "CSS"),
    BadInput("encode qq-mail --motion jumpy -o a.mp4", 64, "jumpy", "ticks"),
    BadInput("encode iqiyi --motion ticks -o a.mp4", 64, "iqiyi has no timer steps", "qq-mail"),
    BadInput("encode qq-mail -o frames/%04d.mp4", 64, "mp4 is one file", "frames/%04d.png"),
    BadInput("encode qq-mail --background nocolor -o a.mp4", 64, "nocolor"),
    BadInput("encode qq-mail --background #ffffff80 -o a.mp4", 64, "#ffffff80 needs alpha", "libx264 in yuv420p"),
    BadInput("encode qq-mail --background transparent -o a.mp4", 64, "transparent", "libx264 in yuv420p does not have"),
    BadInput("encode qq-mail --codec vp9 -o a.mov", 64, "mov", "vp9", "webm"),
    BadInput("encode qq-mail --codec h264 -o a.webm", 64, "webm", "h264", "mp4"),
    BadInput("encode qq-mail --codec gif -o a.mov", 64, "mov does not support gif", "use gif"),
    BadInput("encode qq-mail --codec gif -o a.mkv", 64, "mkv does not support gif", "use gif"),
    BadInput("encode qq-mail --codec cfhd -o a.mov", 64, "mov does not support cfhd", "use h264", "prores"),
    BadInput("encode qq-mail --bit-depth 16 -o a.mp4", 64, "'16' is invalid", "give 8 or 10"),
    BadInput("encode qq-mail --quality 99 -o a.mp4", 64, "quality: 99", "0...51"),
    BadInput("encode qq-mail --speed warp -o a.mp4", 64, "speed: warp", "medium"),
    BadInput("encode qq-mail --pixel-format rgb25 -o a.mp4", 64, "rgb25", "yuv420p"),
    BadInput("encode qq-mail -o a.avi", 64, "a.avi", ".mp4"),
    BadInput("encode qq-mail -o noending", 64, "noending", ".mp4"),
    BadInput("encode qq-mail --format avi -o a.mp4", 64, "avi", "mp4"),
    BadInput("still qq-mail --at 0", 64, "missing option --output <file>"),
    BadInput("encode -o a.mp4", 64, "loader"),
    BadInput("encode qq-mail --nonsense -o a.mp4", 64, "nonsense"),
    BadInput("encode qq-mail extra -o a.mp4", 64, "extra"),
    BadInput("nonsense", 64, "nonsense"),
    BadInput("list nothing", 64, "nothing", "qq-mail"),
    BadInput("still qq-mail --at never -o a.png", 64, "never", "phase:"),
    BadInput("still qq-mail --at phase:6 -o a.png", 64, "phase:6", "use phase:0 to phase:5"),
    BadInput(
        "still qq-mail --at phase:0+2 -o a.png", 64, "phase:0+2", "the fraction 2 is above the maximum of 1"),
    BadInput("still qq-mail --at 1/9999999 -o a.png", 64, "the denominator 9999999 is above the maximum of 1000000"),
    BadInput("still qq-mail --at phase:0+1/9999999 -o a.png", 64, "the denominator 9999999 is above"),
    BadInput("encode qq-mail --from 0.1234567 -o a.mp4", 64, "7 decimals are above the maximum of 6"),
    BadInput("encode qq-mail --to 1234567890 -o a.mp4", 64, "10 digits are above the maximum of 9"),
    BadInput("encode qq-mail --hold 1/0 -o a.mp4", 64, "the denominator is 0"),
    BadInput("encode qq-mail --duration -1 -o a.mp4", 64, "-1 is negative"),
    BadInput("encode jelly --set duration=1/9999999 -o a.mp4", 64, "the denominator 9999999 is above"),
    BadInput("encode qq --set gesture=0:0,0.1234567:5,2:0 -o a.mp4", 65, "7 decimals are above the maximum of 6"),
    BadInput("still qq-mail --at -1 -o a.png", 64, "at"),
    BadInput("encode qq-pull --set gesture=0:0,1:67,2:0 -o a.mp4", 65, "67", "maximum of 66"),
    BadInput("encode qq --set gesture=0:0,1:67,2:0 -o a.mp4", 65, "67", "maximum of 66"),
    BadInput("encode qq-pull --set gesture=0:0,1 -o a.mp4", 65, "gesture"),
    BadInput("encode qq-pull --set gesture=0:0,2:10,1:0 -o a.mp4", 65, "gesture", "increase"),
    BadInput("encode qq-pull --set gesture=0:0,1:x,2:0 -o a.mp4", 65, "gesture"),
    BadInput("encode qq-pull --set gesture=0:0,1:nan,2:0 -o a.mp4", 65, "gesture"),
    BadInput("encode qq-pull --set gesture=0:0,1:10 -o a.mp4", 65, "gesture", "loops"),
    BadInput("encode douyin --set cover=missing.png -o a.mp4", 66, "missing.png", "does not exist"),
    BadInput("encode douyin --set cover=TEXT.png -o a.mp4", 65, "TEXT.png", "cannot be read: its format"),
    BadInput("encode douyin --set cover=DIR -o a.mp4", 65, "DIR", "not a regular file"),
    BadInput("encode qq-mail --codec h266 -o a.mp4", 69, "h266", "h264"),
    BadInput("encode qq-mail --codec aac -o a.mp4", 69, "aac"),
    BadInput("encode qq-mail --codec h264_nvenc -o a.mp4", 69, "h264_nvenc"),
    BadInput("encode qq-mail --codec mpeg2video --fps 7 -o a.mkv", 69, "cannot be opened here", "loadervid doctor"),
    BadInput("encode qq-mail -o OLD.mp4", 73, "OLD.mp4 already exists", "--force"),
    BadInput("still qq-mail --at 0 -o TEXT.png", 73, "TEXT.png already exists", "--force"),
    BadInput("still qq-mail --at 0 -o a.bmp", 64, "a.bmp", ".png"),
    BadInput("list --json --picture a.png", 64, "--json", "--picture"),
    BadInput("encode qq-mail --motion ticks --set motion=smooth -o a.mp4", 64, "motion is set twice"),
    BadInput(
        "encode qq-mail --codec vp9 --pixel-format yuva420p --background #0000 -o a.mp4", 64,
        "does not support the alpha", ".webm"),
    BadInput("encode qq-mail --quality 0x1p4 -o a.mp4", 64, "0x1p4", "0...51"),
    BadInput("encode qq-mail --set radius=0x10 -o a.mp4", 64, "radius=0x10"),
    BadInput("encode qq-mail --slowmo 1/9999999 -o a.mp4", 64, "1/9999999"),
    BadInput("list --picture OLD.mp4", 64, "OLD.mp4", "does not end in .png"),
    BadInput("encode qq-mail -o missing/a.mp4", 73, "missing", "create it first"),
    BadInput("encode qq-mail -o OLD.mp4/a.mp4", 73, "OLD.mp4"),
    BadInput("encode qq-mail -o DIR --format mp4", 73, "DIR", "directory"),
    BadInput("encode qq-mail -o NONE/", 73, "NONE", "directory"),
    BadInput("encode qq-mail -o /proc/a.mp4", 73, "/proc/a.mp4"),
    BadInput("encode qq-mail --format mp4 -o /dev/null --force", 73, "/dev/null"),
    BadInput("batch ci-smoke -o -", 64, "-o", "a batch writes files"),
    BadInput("verify DIR", 65, "DIR is a directory", "frames/%04d.png"),
    BadInput("analyze DIR", 65, "DIR is a directory; use a video file"),
    BadInput("analyze DIR/%04d.png", 65, "DIR/%04d.png is an image sequence; encode it as video first: ffmpeg"),
    BadInput("analyze gone.png", 66, "gone.png does not exist"),
    BadInput("compare OLD.mp4 --as qq --tolerance ms", 64, "--tolerance: 'ms' has no valid number; use points=1"),
    BadInput("compare OLD.mp4 --as qq --tolerance ms=-1", 64, "--tolerance: 'ms=-1' is outside the range 0...1000"),
    BadInput("encode qq --encoder-option crff=9 -o a.mp4", 64, "libx264 has no option 'crff'; for crf, use --quality"),
    BadInput("encode jelly --codec libtheora --fps 10 --size 64x64 -o a.mkv", 69, "libtheora", "empty packets"),
    BadInput("encode qq --side-by-side=yes -o a.mp4", 64, "--side-by-side", "takes no value"),
    BadInput("encode qq --trim-margin 2 -o a.mp4", 64, "--trim-margin: the clip is not trimmed; add --trim"),
]

@Suite struct BadInputTests {
    @Test(arguments: quickSample(of: badInputs, each: 8))
    private func badInputIsRejectedInOneLine(_ input: BadInput) throws {
        let workspace = try CommandFixture()
        let directory = workspace.directory
        try FileManager.default.createDirectory(atPath: directory.file("DIR"), withIntermediateDirectories: false)
        try makeFile("old", at: directory.file("OLD.mp4"))
        try makeFile("This is no picture.\n", at: directory.file("TEXT.png"))
        let outcome = try workspace.run(input.line.split(separator: " ").map(String.init))
        expectRefusal(outcome, input.code, input.words)
        #expect(try directory.names() == ["DIR", "OLD.mp4", "TEXT.png"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("DIR")).isEmpty)
        #expect(try bytes(of: directory.file("OLD.mp4")) == Array("old".utf8))
    }

    /// A file size limit simulates a full disk.
    @Test(.slow, arguments: ["clip.mp4", "clip.mkv"], [false, true])
    func aFullDiskLeavesNothing(name: String, isThere: Bool) throws {
        let workspace = try CommandFixture()
        if isThere { try makeFile("old", at: workspace.directory.file(name)) }
        let outcome = try workspace.shell(
            "ulimit -f 100; exec \"$LOADERVID\" encode qq --scale 2 --duration 60 --quality 0 --speed ultrafast"
                + " --force --progress none -o \(name)")
        expectRefusal(outcome, 74, [name])
        #expect(try workspace.directory.names() == (isThere ? [name] : []))
        if isThere { #expect(try bytes(of: workspace.directory.file(name)) == Array("old".utf8)) }
    }

    @Test func forceOverwrites() throws {
        let workspace = try CommandFixture()
        try makeFile("old", at: workspace.directory.file("clip.mp4"))
        let path = try workspace.encode("qq-mail", "--size", "64x32", "--duration", "0.1", "--force", to: "clip.mp4")
        #expect(try Probe(path).frames?.count == 6)
        #expect(try workspace.directory.names() == ["clip.mp4"])
    }
}
