import Foundation
import TestSupport
import Testing

/// Recordings whose motion is known, turned back into loaders by the program.
@Suite struct ReconstructionTests {
    /// Three dots that hop one after the other, 0.1 s apart, with the timing function ease-in-out.
    private static let hoppingDots = animation(
        duration: 60,
        layers: (0..<3).map { index in
            let start = 6 * index
            let hop = keys([
                (0, 70), (start, 70), (start + 15, 30), (start + 30, 70), (60, 70),
            ])
            return layer(
                index + 1, position: #"{"s":true,"x":{"a":0,"k":\#(40 + 40 * index)},"y":{"a":1,"k":\#(hop)}}"#,
                color: "0.1,0.4,0.9")
        })

    /// A grey disc that fades to a fifth of its opacity and back.
    private static let fadingDisc = animation(
        duration: 60,
        layers: [
            layer(
                1, position: #"{"a":0,"k":[80,50,0]}"#, color: "0.5,0.5,0.5",
                opacity: #"{"a":1,"k":\#(keys([(0, 100), (30, 20), (60, 100)]))}"#)
        ])

    /// A disc that jumps between two positions.
    private static let jumpingDisc = animation(
        duration: 60,
        layers: [
            layer(
                1,
                position: #"{"a":1,"k":[{"t":0,"s":[40,50,0],"h":1},{"t":30,"s":[120,50,0],"h":1}]}"#,
                color: "0.1,0.4,0.9")
        ])

    /// A disc that passes under a square and comes back.
    private static let coveredDisc = animation(
        duration: 120,
        layers: [
            layer(
                1, position: #"{"a":0,"k":[80,50,0]}"#, color: "0.2,0.4,0.8",
                shape: #"{"ty":"rc","s":{"a":0,"k":[40,40]},"p":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}}"#),
            layer(
                2,
                position: #"{"s":true,"x":{"a":1,"k":\#(keys([(0, 20), (60, 140), (120, 20)]))},"y":{"a":0,"k":50}}"#,
                color: "0.8,0.2,0.3"),
        ])

    /// Two discs with a bar between them for the middle third of a second.
    private static let joinedDiscs = animation(
        duration: 60,
        layers: [
            layer(1, position: #"{"a":0,"k":[50,50,0]}"#, color: "0.1,0.4,0.9"),
            layer(
                2,
                position: #"{"s":true,"x":{"a":1,"k":\#(keys([(0, 110), (30, 80), (60, 110)]))},"y":{"a":0,"k":50}}"#,
                color: "0.1,0.4,0.9"),
            layer(
                3, position: #"{"a":0,"k":[65,50,0]}"#, color: "0.1,0.4,0.9",
                shape: #"{"ty":"rc","s":{"a":0,"k":[30,12]},"p":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}}"#, from: 20,
                to: 40),
        ])

    /// A disc whose colour changes slightly.
    private static let tintedDisc = animation(
        duration: 60,
        layers: [
            layer(
                1, position: #"{"a":0,"k":[80,50,0]}"#, color: "0.8,0.2,0.3", end: "0.88,0.26,0.26")
        ])

    /// A ring that grows from a point, with its line, while it fades.
    private static let ripple = animation(
        duration: 72,
        layers: [
            #"""
            {"ind":1,"ty":4,"nm":"ring","ip":0,"op":600,"st":0,"ks":{"p":{"a":0,"k":[80,50,0]},
            "o":{"a":1,"k":\#(keys([(0, 100), (60, 0)]))},"s":{"a":1,"k":[
            {"t":0,"s":[0,0,100],"i":{"x":[0.58],"y":[1]},"o":{"x":[0.42],"y":[0]}},{"t":60,"s":[100,100,100]}]}},
            "shapes":[{"ty":"el","s":{"a":0,"k":[80,80]},"p":{"a":0,"k":[0,0]}},
            {"ty":"st","c":{"a":0,"k":[0.1,0.5,0.4,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":7}}]}
            """#
        ])

    private static func keys(_ values: [(time: Int, value: Int)]) -> String {
        let ease = #""i":{"x":[0.58],"y":[1]},"o":{"x":[0.42],"y":[0]}"#
        return "[" + values.map { #"{"t":\#($0.time),"s":[\#($0.value)],\#(ease)}"# }.joined(separator: ",") + "]"
    }

    private static func layer(
        _ index: Int, position: String, color: String, end: String? = nil, opacity: String = #"{"a":0,"k":100}"#,
        shape: String = #"{"ty":"el","s":{"a":0,"k":[24,24]},"p":{"a":0,"k":[0,0]}}"#, from first: Int = 0,
        to last: Int = 600
    ) -> String {
        let ease = #""i":{"x":[0.58],"y":[1]},"o":{"x":[0.42],"y":[0]}"#
        let colors = [color, end ?? color, color].enumerated().map { #"{"t":\#(30 * $0),"s":[\#($1),1],\#(ease)}"# }
        let fill = end == nil ? #"{"a":0,"k":[\#(color),1]}"# : #"{"a":1,"k":[\#(colors.joined(separator: ","))]}"#
        return #"""
            {"ind":\#(index),"ty":4,"nm":"dot","ip":\#(first),"op":\#(last),"st":0,
            "ks":{"o":\#(opacity),"p":\#(position)},"shapes":[\#(shape),
            {"ty":"fl","c":\#(fill),"o":{"a":0,"k":100}}]}
            """#
    }

    private static func animation(duration: Int, layers: [String]) -> String {
        #"{"v":"5.7.0","fr":60,"ip":0,"op":\#(duration),"w":160,"h":100,"layers":["#
            + layers.joined(separator: ",") + "]}"
    }

    /// Returns the path of a recording of two periods of a Lottie file.
    private func record(_ json: String, in scratch: TemporaryDirectory) throws -> String {
        let source = scratch.file("source.json")
        try Data(json.utf8).write(to: URL(fileURLWithPath: source))
        let clip = scratch.file("clip.mp4")
        let arguments = ["encode", source, "--size", "320x200", "--fps", "60", "--cycles", "2", "-o", clip]
        #expect(try Subprocess(builtProgram, arguments).wait().code == 0)
        return clip
    }

    private func parsed(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test(.slow) func writtenLoaderIsDrawnAndHasTheMotion() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.hoppingDots, in: scratch)
        let files = [scratch.file("a.json"), scratch.file("b.json")]
        for file in files { #expect(try Subprocess(builtProgram, ["analyze", clip, "-o", file]).wait().code == 0) }
        let bytes = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(bytes[0] == bytes[1])
        let file = try parsed(Array(bytes[0]))
        #expect(file["op"] as? Double == 60)
        let names = (file["layers"] as? [[String: Any]])?.compactMap { $0["nm"] as? String }
        #expect(Set(names ?? []) == ["circle 1", "circle 2", "circle 3", "background"])
        let drawn = scratch.file("drawn.mp4")
        #expect(try Subprocess(builtProgram, ["encode", files[0], "-o", drawn]).wait().code == 0)
        // A file that exists is not replaced.
        #expect(try Subprocess(builtProgram, ["analyze", clip, "-o", files[0]]).wait().code == 73)
    }

    @Test(.slow) func reportHasPathEasingAndStagger() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.hoppingDots, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json"]).wait()
        #expect(result.code == 0)
        let motion = try #require(try parsed(result.output)["motion"] as? [String: Any])
        #expect(motion["period"] as? Double == 1)
        let shapes = try #require(motion["shapes"] as? [[String: Any]])
        #expect(shapes.count == 3)
        for shape in shapes {
            #expect(shape["shape"] as? String == "circle")
            #expect(shape["path"] as? String == "straight")
            let amplitude = try #require(shape["amplitude"] as? Double)
            #expect(abs(amplitude - 80) < 1)
            #expect((shape["easings"] as? [String])?.first == "ease-in-out")
        }
        let groups = try #require(motion["groups"] as? [[String: Any]])
        let stagger = try #require(groups.first?["stagger"] as? Double)
        #expect(groups.count == 1 && abs(stagger - 0.1) < 0.005)
    }

    @Test(.slow) func outputsDoNotMix() throws {
        let scratch = try TemporaryDirectory()
        let clip = scratch.file("clip.mp4")
        #expect(try Subprocess(builtProgram, ["encode", "qq-mail", "-o", clip]).wait().code == 0)
        let json = try Subprocess(builtProgram, ["analyze", clip, "--json", "-o", scratch.file("a.json")]).wait()
        #expect(json.code == 0)
        #expect(try parsed(json.output)["motion"] is [String: Any])
        let plot = scratch.file("plot.svg")
        let style = try Subprocess(builtProgram, ["analyze", clip, "--as", "css", "--plot", plot]).wait()
        #expect(style.code == 0)
        #expect(String(decoding: style.output, as: UTF8.self).hasSuffix("</svg>\n"))
        #expect(FileManager.default.fileExists(atPath: plot))
    }

    @Test(.slow) func fadingGreyIsUnderstood() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.fadingDisc, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json"]).wait()
        #expect(result.code == 0)
        let report = try parsed(result.output)
        #expect(report["table"] is NSNull)
        #expect((report["warnings"] as? [String])?.isEmpty == false)
        let shapes = (report["motion"] as? [String: Any])?["shapes"] as? [[String: Any]]
        let opacity = try #require(shapes?.first?["opacity"] as? [Double])
        #expect(shapes?.count == 1 && abs(opacity[0] - 0.2) < 0.03 && abs(opacity[1] - 1) < 0.03)
        let text = try Subprocess(builtProgram, ["analyze", clip]).wait()
        #expect(String(decoding: text.output, as: UTF8.self).contains("table    none: "))
    }

    /// At first the line is too thin to be measured.
    @Test func rippleIsUnderstood() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.ripple, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json", "-o", scratch.file("a.json")]).wait()
        #expect(result.code == 0, "\(result.errorText)")
        let motion = try #require(try parsed(result.output)["motion"] as? [String: Any])
        let shapes = try #require(motion["shapes"] as? [[String: Any]])
        #expect(motion["period"] as? Double == 1.2)
        #expect(shapes.count == 1 && shapes.first?["shape"] as? String == "ring")
        let opacity = try #require(shapes.first?["opacity"] as? [Double])
        #expect(opacity[0] == 0 && abs(opacity[1] - 1) < 0.1, "\(opacity)")
    }

    @Test func jumpIsOneObject() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.jumpingDisc, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json"]).wait()
        #expect(result.code == 0)
        let shapes = (try parsed(result.output)["motion"] as? [String: Any])?["shapes"] as? [[String: Any]]
        #expect(shapes?.count == 1)
        #expect((shapes?.first?["easings"] as? [String])?.contains("hold") == true)
    }

    @Test(.slow) func discGoesOnUnderASquare() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.coveredDisc, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json"]).wait()
        #expect(result.code == 0)
        let shapes = (try parsed(result.output)["motion"] as? [String: Any])?["shapes"] as? [[String: Any]]
        #expect(shapes?.count == 2)
        let disc = try #require(shapes?.first { $0["shape"] as? String == "circle" })
        #expect(abs((disc["amplitude"] as? Double ?? 0) - 240) < 2)
        #expect((disc["easings"] as? [String])?.first == "ease-in-out")
        let square = try #require(shapes?.first { ($0["shape"] as? String)?.hasSuffix("rectangle") == true })
        #expect(square["path"] as? String == "still")
        let file = try Subprocess(builtProgram, ["analyze", clip, "-o", scratch.file("a.json")]).wait()
        #expect(file.code == 0 && !file.errorText.contains("not understood"))
    }

    @Test func aSlightChangeOfColorIsNotOpacity() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.tintedDisc, in: scratch)
        let result = try Subprocess(builtProgram, ["analyze", clip, "--json"]).wait()
        #expect(result.code == 0)
        let shapes = (try parsed(result.output)["motion"] as? [String: Any])?["shapes"] as? [[String: Any]]
        let channels = try #require(shapes?.first?["channels"] as? [String: [[String: Any]]])
        #expect(channels["opacity"]?.count == 1)
        let reds = try #require(channels["red"]).compactMap { $0["value"] as? Double }
        #expect(abs((reds.max() ?? 0) - 224) < 4 && abs((reds.min() ?? 0) - 204) < 4)
    }

    @Test(.slow) func otherFormatsHaveTheKeyframes() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.hoppingDots, in: scratch)
        let style = try Subprocess(builtProgram, ["analyze", clip, "--as", "css"]).wait()
        #expect(style.code == 0)
        let css = String(decoding: style.output, as: UTF8.self)
        #expect(
            css.contains("@keyframes") && css.contains("cubic-bezier(0.42, 0, 0.58, 1)") && css.contains("<ellipse"))
        let code = scratch.file("loader.swift")
        #expect(try Subprocess(builtProgram, ["analyze", clip, "-o", code]).wait().code == 0)
        let swift = try String(contentsOfFile: code, encoding: .utf8)
        #expect(swift.contains("CAKeyframeAnimation") && swift.contains("timing(0.42, 0, 0.58, 1)"))
        for arguments in [["-o", "loader.gif"], ["-o", "loader.css"], ["--as", "flash"], ["--as", "css", "--json"]] {
            #expect(try Subprocess(builtProgram, ["analyze", clip] + arguments).wait().code == 64)
        }
    }

    @Test(.slow) func neckBetweenDiscsIsDrawn() throws {
        let scratch = try TemporaryDirectory()
        let clip = try record(Self.joinedDiscs, in: scratch)
        let loader = scratch.file("loader.json")
        let made = try Subprocess(builtProgram, ["analyze", clip, "-o", loader]).wait()
        #expect(made.code == 0, "\(made.errorText)")
        #expect(try Subprocess(builtProgram, ["analyze", clip]).wait().text.contains("changing shape"))
        let judged = try Subprocess(builtProgram, ["compare", clip, "--as", loader, "--scale", "1"]).wait()
        #expect(judged.code == 0, "\(judged.text)")
    }

    /// The discs of PreLoader are joined by necks, so their motion is not understood.
    @Test(.slow) func outlinesAreTracedInstead() throws {
        let scratch = try TemporaryDirectory()
        let clip = scratch.file("clip.mp4")
        let encoding = ["encode", "preloader", "--scale", "2", "--fps", "30", "--progress", "none", "-o", clip]
        #expect(try Subprocess(builtProgram, encoding).wait().code == 0)
        let loader = scratch.file("loader.json")
        let made = try Subprocess(builtProgram, ["analyze", clip, "-o", loader]).wait()
        #expect(made.code == 0, "\(made.errorText)")
        let words = try Regex("from [0-9.]+ s: [a-z ]+[0-9]* is not understood: .*; all outlines are traced")
        #expect(made.errorLines.count == 1 && made.errorText.firstMatch(of: words) != nil, "\(made.errorText)")
        let judged = try Subprocess(builtProgram, ["compare", clip, "--as", loader, "--scale", "1"]).wait()
        #expect(judged.code == 0, "\(judged.text)")
    }
}
