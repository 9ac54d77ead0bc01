import Foundation
import TestSupport
import Testing

/// `encode -o` with `.svg` and `.json`.
@Suite struct VectorTests {
    /// The facts about an SVG file that a parser of XML finds.
    private struct Facts: Decodable {
        var width: String
        var elements: [String]
        var hasReferences: Bool
    }

    private func text(_ outcome: Outcome) -> String { String(decoding: outcome.output, as: UTF8.self) }

    private func facts(_ path: String) throws -> Facts {
        try python(
            """
            import xml.etree.ElementTree as tree
            root = tree.parse(given).getroot()
            values = [value for element in root.iter() for value in element.attrib.values()]
            result = {
                "width": root.attrib["width"],
                "elements": sorted({element.tag.split("}")[1] for element in root.iter()}),
                "hasReferences": any("://" in value for value in values),
            }
            """, path)
    }

    @Test func svgIsOneFileWithoutScripts() throws {
        let fixture = try CommandFixture()
        let outcome = try fixture.run(["encode", "douyin", "-o", "a.svg"])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        #expect(text(outcome).contains("160x180, SVG, "))
        let facts = try facts(fixture.directory.file("a.svg"))
        #expect(facts.width == "160")
        let known: Set = [
            "svg", "title", "style", "g", "path", "circle", "animate", "animateTransform", "clipPath",
        ]
        #expect(Set(facts.elements).isSubset(of: known), "\(facts.elements)")
        #expect(!facts.hasReferences)
    }

    /// Files in one page share the page's names.
    @Test func namesDifferBetweenFiles() throws {
        let fixture = try CommandFixture()
        let paths = [
            try fixture.encode("douyin", "--fps", "10", to: "a.svg"),
            try fixture.encode("douyin", "--fps", "10", "--set", "turn=1.5", to: "b.svg"),
        ]
        let shared: [String] = try python(
            """
            import re
            names = [set(re.findall('(?:id|class)="([^"]*)"', open(path, encoding="utf-8").read())) for path in given]
            result = sorted(names[0] & names[1]) if all(names) else ["none"]
            """, paths)
        #expect(shared == [])
    }

    @Test(arguments: ["svg", "json"]) func bytesAreReproducible(format: String) throws {
        let fixture = try CommandFixture()
        let one = try fixture.encode("jelly", "--jobs", "1", to: "a.\(format)")
        let other = try fixture.encode("jelly", "--jobs", "2", to: "b.\(format)")
        #expect(try bytes(of: one) == bytes(of: other))
        let again = try fixture.run(["encode", "jelly", "-o", "a.\(format)"])
        expectRefusal(again, 73, ["a.\(format)", "--force"])
        let piped = try fixture.run(["encode", "jelly", "--format", format, "-o", "-"])
        #expect(try Array(piped.output) == bytes(of: one))
    }

    @Test func scaleDecidesTheNominalSize() throws {
        let fixture = try CommandFixture()
        let path = try fixture.encode("jelly", "--size", "640x640", to: "a.svg")
        #expect(try facts(path).width == "640")
    }

    /// A file that plays once does not move to its first frame at the end.
    @Test func limitedPlaysEndAtTheLastFrame() throws {
        let fixture = try CommandFixture()
        let path = try fixture.encode("qq", "--fps", "10", "--loop", "1", to: "a.svg")
        let ends: [[String]] = try python(
            """
            import re
            text = open(given[0], encoding="utf-8").read()
            found = re.findall('fill="freeze" keyTimes="([^"]*)" values="([^"]*)"', text)
            result = [times.split(";")[-1:] + values.split(";")[-2:] for times, values in found]
            """, [path])
        #expect(ends.count > 3)
        for end in ends { #expect(end[0] == "1" && end[1] == end[2], "\(end)") }
    }

    /// Options of encoders and of colour have no effect on vector graphics, so they are refused.
    @Test(arguments: ["--color p3", "--gop 1", "--static vfr", "--codec h264", "--quality 20"])
    func optionsForFramesAreRefused(options: String) throws {
        let fixture = try CommandFixture()
        let words = options.split(separator: " ").map(String.init)
        for name in ["a.svg", "a.json"] {
            let outcome = try fixture.run(["encode", "jelly"] + words + ["-o", name])
            expectRefusal(outcome, 64, [words[0].replacing("--", with: ""), "applies to encoded frames"])
        }
    }

    /// Vector graphics are compared by their bytes.
    @Test(.slow) func diffComparesBytes() throws {
        let fixture = try CommandFixture()
        for (name, rate) in [("a", "10"), ("b", "10"), ("c", "20")] {
            try fixture.encode("jelly", "--fps", rate, to: "\(name).svg")
        }
        let same = try fixture.run(["diff", "a.svg", "b.svg"])
        #expect(same.code == 0 && same.text == "a.svg and b.svg: the same bytes\n", "\(same.text)")
        let other = try fixture.run(["diff", "a.svg", "c.svg", "--json"])
        #expect(other.code == 1 && other.text.contains("\"isSame\" : false"), "\(other.text)")
        try fixture.encode("jelly", "--fps", "10", to: "a.webp")
        expectRefusal(try fixture.run(["diff", "a.svg", "a.webp"]), 64, ["SVG has no frames", "encode both to .webp"])
    }

    @Test func aLottieFileBecomesSVG() throws {
        let fixture = try CommandFixture()
        try fixture.encode("oneloading", to: "arc.json")
        let path = try fixture.encode("arc.json", to: "arc.svg")
        #expect(try facts(path).elements.contains("path"))
    }

    @Test func whatCannotBeExpressedIsRefusedByObjectAndTime() throws {
        let fixture = try CommandFixture()
        for format in ["svg", "json"] {
            let output = "a.\(format)"
            let text = try fixture.run(["encode", "jelly", "--title", "Hello", "-o", output])
            expectRefusal(text, 65, ["the text 'Hello' at ", " 0 s into the clip", "cannot be expressed in "])
            #expect(!FileManager.default.fileExists(atPath: fixture.directory.file(output)))
            expectRefusal(
                try fixture.run(["encode", "jelly", "--motion-blur", "1/2", "-o", output]), 64, ["motion-blur"])
            expectRefusal(try fixture.run(["encode", "jelly", "--codec", "vp9", "-o", output]), 64, ["codec"])
            expectRefusal(try fixture.run(["encode", "jelly", "--max-bytes", "2kB", "-o", output]), 64, ["max-bytes"])
        }
    }

    /// The message names the layer.
    @Test func aBlurredLayerIsRefusedByName() throws {
        let fixture = try CommandFixture()
        let film = #"""
            {"v":"5.9.0","fr":10,"ip":0,"op":10,"w":100,"h":100,"layers":[
            {"ty":4,"nm":"Schatten","ip":0,"op":10,"st":0,"ks":{},
            "shapes":[{"ty":"rc","p":{"a":0,"k":[50,50]},"s":{"a":0,"k":[20,20]},"r":{"a":0,"k":0}},
            {"ty":"fl","c":{"a":0,"k":[0,0,0,1]},"o":{"a":0,"k":100}}],
            "ef":[{"ty":29,"en":1,"ef":[{"ty":0,"v":{"a":0,"k":10}},{"ty":7,"v":{"a":0,"k":1}},
            {"ty":7,"v":{"a":0,"k":0}}]}]}]}
            """#
        try makeFile(film, at: fixture.directory.file("film.json"))
        let outcome = try fixture.run(["encode", "film.json", "-o", "a.svg"])
        expectRefusal(outcome, 65, ["the blur of 'Schatten' at 40,40 ", "expressed in SVG; use a container"])
    }

    /// The message names the options whose texts and images the format lacks.
    @Test func textsAndImagesOfOptionsAreRefusedByOption() throws {
        let fixture = try CommandFixture()
        try #require(fixture.run(["still", "jelly", "-o", "mark.png"]).code == 0)
        for (options, remedy) in [
            (["--title", "Hello"], "leave out --title, or use"), (["--mark", "mark.png"], "leave out --mark, or use"),
            (["--title", "Hello", "--annotate", "clock"], "leave out --title and --annotate, or use"),
        ] {
            let outcome = try fixture.run(["encode", "jelly", "--fps", "5"] + options + ["-o", "a.svg"])
            expectRefusal(outcome, 65, [remedy])
        }
    }

    @Test func verifyComparesBytes() throws {
        let fixture = try CommandFixture()
        let path = try fixture.encode("jelly", "--fps", "30", to: "a.svg")
        let right = try fixture.run(["verify", "a.svg", "--against", "jelly", "--fps", "30"])
        #expect(right.code == 0 && text(right).hasPrefix("a.svg: right"), "\(right.errorText)")
        let wrong = try fixture.run(["verify", "a.svg", "--against", "jelly", "--fps", "25"])
        #expect(wrong.code == 1 && text(wrong).contains("encode it again"), "\(text(wrong))")
        expectRefusal(try fixture.run(["verify", path]), 65, ["SVG has no frames", "--against"])
    }

    @Test(.slow) func batchesKeepVectorsUpToDate() throws {
        let fixture = try CommandFixture()
        let preset = "clips:\n  - loader: jelly\n    fps: 30\n    name: jelly\n    outputs: [apng, svg, json]\n"
        try makeFile(preset, at: fixture.directory.file("web.yaml"))
        let first = try fixture.run(["batch", "web.yaml", "-o", "out", "--progress", "none"])
        try #require(first.code == 0, "\(first.errorText)")
        let direct = try fixture.encode("jelly", "--fps", "30", to: "direct.svg")
        #expect(try bytes(of: direct) == bytes(of: fixture.directory.file("out/jelly.svg")))
        let second = try fixture.run(["batch", "web.yaml", "-o", "out", "--progress", "none"])
        #expect(second.code == 0 && text(second).contains("3 up to date"), "\(text(second))")
        try makeFile("broken", at: fixture.directory.file("out/jelly.json"))
        let third = try fixture.run(["batch", "web.yaml", "-o", "out", "--progress", "none"])
        #expect(third.code == 0 && text(third).contains("2 up to date"), "\(text(third))")
        let strict = try fixture.run(["batch", "web.yaml", "-o", "strict", "--verify", "--progress", "none"])
        #expect(strict.code == 0, "\(strict.errorText)")
        let verified = try fixture.run(["verify", "out/jelly.svg", "out/jelly.json", "--against", "web.yaml"])
        #expect(verified.code == 0, "\(text(verified))\(verified.errorText)")
    }
}
