import Foundation
import TestSupport
import Testing

/// Recordings in which objects touch or cover each other, turned back into loaders.
@Suite struct TouchingObjectTests {
    /// Two discs with a bar between them for the middle third of a second.
    private static let joinedDiscs = animation([
        disc(at: #"{"a":0,"k":[50,50,0]}"#),
        disc(at: #"{"a":1,"k":[\#(key(0, 110)),\#(key(30, 80)),\#(key(60, 110))]}"#),
        layer(
            #"{"ty":"rc","s":{"a":0,"k":[30,12]},"p":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}}"#,
            at: #"{"a":0,"k":[65,50,0]}"#, from: 20, to: 40),
    ])

    private static func key(_ frame: Int, _ x: Int) -> String {
        #"{"t":\#(frame),"s":[\#(x),50,0],"i":{"x":[0.58],"y":[1]},"o":{"x":[0.42],"y":[0]}}"#
    }

    private static func disc(at position: String) -> String {
        layer(#"{"ty":"el","s":{"a":0,"k":[24,24]},"p":{"a":0,"k":[0,0]}}"#, at: position)
    }

    private static func layer(
        _ shape: String, at position: String, from start: Int = 0, to end: Int = 60
    ) -> String {
        #"""
        {"ty":4,"ip":\#(start),"op":\#(end),"st":0,"ks":{"p":\#(position)},"shapes":[\#(shape),
        {"ty":"fl","c":{"a":0,"k":[0.1,0.4,0.9,1]},"o":{"a":0,"k":100}}]}
        """#
    }

    private static func animation(_ layers: [String]) -> String {
        #"{"v":"5.7.0","fr":60,"ip":0,"op":60,"w":160,"h":100,"layers":[\#(layers.joined(separator: ","))]}"#
    }

    private func run(_ arguments: [String]) throws -> Outcome {
        try Subprocess(builtProgram, arguments).wait()
    }

    @Test func neckBetweenDiscsIsDrawn() throws {
        let scratch = try TemporaryDirectory()
        try Data(Self.joinedDiscs.utf8).write(to: URL(fileURLWithPath: scratch.file("source.json")))
        let clip = scratch.file("clip.mp4")
        let size = ["--size", "320x200", "--fps", "60", "--cycles", "2"]
        #expect(try run(["encode", scratch.file("source.json")] + size + ["-o", clip]).code == 0)
        let loader = scratch.file("loader.json")
        let made = try run(["analyze", clip, "-o", loader])
        #expect(made.code == 0, "\(made.errorText)")
        #expect(try run(["analyze", clip]).text.contains("changing shape"))
        let judged = try run(["compare", clip, "--as", loader, "--scale", "1"])
        #expect(judged.code == 0, "\(judged.text)")
    }

    /// The three balls of QQ turn while others cover them.
    @Test func translucentBallsThatTurnUnderOthersAreUnderstood() throws {
        let scratch = try TemporaryDirectory()
        let clip = scratch.file("clip.mp4")
        #expect(
            try run(["encode", "qq-mail", "--size", "480x240", "--fps", "60", "--cycles", "2", "-o", clip]).code == 0)
        let made = try run(["analyze", clip, "-o", scratch.file("loader.json")])
        #expect(made.code == 0, "\(made.errorText)")
    }
}
