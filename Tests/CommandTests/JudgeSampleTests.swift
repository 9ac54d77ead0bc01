import Foundation
import TestSupport
import Testing

/// Findings of `compare` in recordings by another renderer, a sample of `scripts/test-judge`.
@Suite struct JudgeSampleTests {
    /// A change of the three balls or of their recording, and the finding that names it.
    struct Fault: Sendable, Encodable, CustomTestStringConvertible {
        var name: String
        var offset = 30.0
        var green = [0, 255, 0]
        var speed = 1.0
        var hidden = ""
        /// The ball that is always drawn under the others.
        var lowest = ""
        /// The second in which the recording stands still for 0.4 s; negative if it never does.
        var frozenAt = -1.0
        /// Pixels of the frame above the balls' canvas, where a status bar counts seconds.
        var bar = 0
        var kinds: [String] = []
        var object: String?
        /// The size of the fault in the finding's unit; nil if it has none.
        var size: Double?

        var testDescription: String { name }
    }

    /// The system's Python, which has Pillow. Another Python earlier in the path may not have it.
    private static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"

    private struct Report: Decodable {
        var recordings: [Recording]
    }

    private struct Recording: Decodable {
        var findings: [Finding]
    }

    private struct Finding: Decodable {
        var kind: String
        var object: String?
        var size: Double?
        var expected: String?
        var actual: String?
    }

    static let faults = [
        Fault(name: "none, with a status bar", bar: 60),
        Fault(name: "slower", speed: 0.9, kinds: ["speed"], size: 0.1),
        Fault(name: "yellow is missing", hidden: "yellow", kinds: ["missing"], object: "yellow"),
        Fault(name: "red is under the others", lowest: "red", kinds: ["order"], object: "red"),
        Fault(name: "frozen", frozenAt: 1, kinds: ["frozen"], size: 0.4),
        Fault(
            name: "offset 27 under a status bar", offset: 27, bar: 60, kinds: ["parameter"], object: "offset", size: 3),
    ]
    /// Faults of kinds that other cases here or in `CompareTests` have, too.
    static let similarFaults = [
        Fault(name: "none"),
        Fault(name: "offset 33", offset: 33, kinds: ["parameter"], object: "offset", size: 3),
        Fault(name: "another green", green: [0, 200, 0], kinds: ["parameter", "color"], object: "green"),
    ]

    /// A correct recording passes. For a faulty one, the first finding names the fault, and its
    /// size within 15%.
    @Test(.slow, arguments: faults + some(of: similarFaults, each: 3))
    func theFirstFindingNamesTheFault(fault: Fault) throws {
        let workspace = try CommandFixture()
        let described = String(decoding: try JSONEncoder().encode(fault), as: UTF8.self)
        _ = try run(Self.python, ["-c", Self.recording, described, workspace.directory.file("clip.mp4")])
        let outcome = try workspace.run(["compare", "clip.mp4", "--as", "qq-mail", "--json"])
        #expect(outcome.code == (fault.kinds.isEmpty ? 0 : 1), "\(outcome.errorText)\(outcome.text)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output))
        let findings = try #require(report.recordings.first).findings
        #expect(findings.isEmpty == fault.kinds.isEmpty)
        guard let finding = findings.first else { return }
        #expect(fault.kinds.contains(finding.kind), "\(finding)")
        if let object = fault.object { #expect(finding.object == object, "\(finding)") }
        if let size = fault.size {
            let told = [finding.size].compactMap(\.self) + [difference(finding)].compactMap(\.self)
            #expect(told.contains { abs($0 - size) <= 0.15 * size }, "\(finding)")
        }
    }

    private func difference(_ finding: Finding) -> Double? {
        guard let expected = finding.expected.flatMap(Double.init), let actual = finding.actual.flatMap(Double.init)
        else { return nil }
        return abs(actual - expected)
    }

    /// Draws two cycles of the balls at two pixels per point with Pillow, and encodes them with
    /// ffmpeg. Takes the fault as JSON and the path of the video.
    private static let recording = """
        import json, subprocess, sys
        from PIL import Image, ImageDraw
        fault = json.loads(sys.argv[1])
        bar = fault["bar"]
        steps, fine = [-1, 1, 1, -1, 0, 0], 4
        depths = [["yellow", "red", "green"], ["green", "yellow", "red"], ["red", "green", "yellow"]]
        first = {"red": 1, "yellow": 5, "green": 3}
        colors = {"red": (255, 0, 0), "yellow": (255, 255, 0), "green": tuple(fault["green"])}
        size = (240, 120 + bar)
        encoder = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "%dx%d" % size, "-r", "60", "-i", "-",
             "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-preset", "veryfast", "-crf", "20",
             "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
             sys.argv[2]], stdin=subprocess.PIPE)
        for index in range(174):
            time = index / 60
            shown = time
            if 0 <= fault["frozenAt"] <= time < fault["frozenAt"] + 0.4:
                shown = fault["frozenAt"]
            phases = fault["speed"] * shown / 0.24 % 6
            phase = int(phases)
            image = Image.new("RGB", size, (255, 255, 255))
            for name in sorted(depths[phase // 2], key=lambda name: name != fault["lowest"]):
                if name == fault["hidden"]:
                    continue
                step = (first[name] + phase) % 6
                x = 60 + fault["offset"] * (sum(steps[:step]) + steps[step] * (phases - phase))
                mask = Image.new("L", (240 * fine, 120 * fine))
                box = [2 * fine * value for value in (x - 6.5, 30 - 6.5, x + 6.5, 30 + 6.5)]
                ImageDraw.Draw(mask).ellipse((box[0], box[1], box[2] - 1, box[3] - 1), fill=204)
                mask = mask.resize((240, 120), Image.BOX)
                image.paste(Image.new("RGB", (240, 120), colors[name]), (0, bar), mask)
            if bar:
                draw = ImageDraw.Draw(image)
                for second in range(1 + int(time)):
                    draw.rectangle((10 + 8 * second, 8, 14 + 8 * second, 18), fill=(0, 0, 0))
                draw.rectangle((200, 8, 230, 18), fill=(120, 120, 120))
            encoder.stdin.write(image.tobytes())
        encoder.stdin.close()
        sys.exit(encoder.wait())
        """
}
