import Foundation
import TestSupport
import Testing

/// Changes of single elements and of recurring durations, compared.
@Suite struct CompareElementTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func write(_ name: String, _ layers: String) throws {
        let text = #"{"v":"5.7.0","fr":60,"ip":0,"op":60,"w":80,"h":80,"layers":[\#(layers)]}"#
        try Data(text.utf8).write(to: URL(filePath: workspace.directory.file(name)))
    }

    /// A layer whose drawing has a position and an angle in degrees.
    private func layer(_ name: String, _ shapes: String, position: String, angle: String = #"{"k":0}"#) -> String {
        let transform = #"{"a":{"k":[0,0]},"p":\#(position),"r":\#(angle),"s":{"k":[100,100]},"o":{"k":100}}"#
        return #"{"ty":4,"nm":"\#(name)","ks":\#(transform),"shapes":[\#(shapes)],"ip":0,"op":60,"st":0}"#
    }

    /// Keyframes without easing, from frames and values.
    private func keys(_ keys: [(Int, String)]) -> String {
        let list = keys.map { #"{"t":\#($0),"s":[\#($1)],"o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}}"# }
        return #"{"a":1,"k":[\#(list.joined(separator: ","))]}"#
    }

    /// A quarter of a ring with the ends of a Lottie file: 1 is butt, 2 is round.
    private func writeArc(_ name: String, cap: Int) throws {
        let stroke = #"{"ty":"st","c":{"k":[0.1,0.4,0.8,1]},"o":{"k":100},"w":{"k":12},"lc":\#(cap),"lj":1}"#
        let trim = #"{"ty":"tm","s":{"k":0},"e":{"k":25},"o":{"k":0}}"#
        let ring = #"{"ty":"el","p":{"k":[0,0]},"s":{"k":[50,50]}}"#
        let angle = keys([(0, "0"), (60, "360")])
        let shapes = [ring, trim, stroke].joined(separator: ",")
        try write(name, layer("arc", shapes, position: #"{"k":[40,40]}"#, angle: angle))
    }

    @Test(.slow) func endsOfLinesAreNamed() throws {
        try writeArc("round.json", cap: 2)
        try writeArc("butt.json", cap: 1)
        let found = try workspace.findings(in: ["butt.json"], as: "round.json")
        #expect(found.first?["kind"] as? String == "lineCap", "\(found)")
        #expect(found.first?["actual"] as? String == "butt", "\(found)")
    }

    /// Two discs that move from side to side, the lower one half a period later if `isOpposite`.
    private func writeDiscs(_ name: String, isOpposite: Bool) throws {
        let columns = (isOpposite ? [40, 15, 40, 65, 40] : [40, 65, 40, 15, 40]).enumerated()
        let upper = keys([(0, "40,25"), (15, "65,25"), (30, "40,25"), (45, "15,25"), (60, "40,25")])
        let lower = keys(columns.map { (15 * $0, "\($1),55") })
        func disc(_ color: String) -> String {
            #"{"ty":"el","p":{"k":[0,0]},"s":{"k":[14,14]}},{"ty":"fl","c":{"k":[\#(color),1]},"o":{"k":100}}"#
        }
        let red = layer("red", disc("0.9,0.1,0.1"), position: upper)
        let blue = layer("blue", disc("0,0.3,0.9"), position: lower)
        try write(name, red + "," + blue)
    }

    /// A delay of half a period is out of the reach of a fit from the design.
    @Test(.slow) func oppositePhasesAreDelays() throws {
        try writeDiscs("design.json", isOpposite: false)
        try writeDiscs("opposite.json", isOpposite: true)
        let first = try #require(try workspace.findings(in: ["opposite.json"], as: "design.json").first)
        #expect(first["kind"] as? String == "late", "\(first)")
        #expect(abs((first["size"] as? Double ?? 0) - 0.5) < 0.02, "\(first)")
    }

    /// A longer tick is a fraction of the tolerance, but recurs 180 times in a period.
    @Test(.slow) func shortRecurringDurationsCount() throws {
        let recorded = ["qq-mail", "--set", "tick=0.009", "--set", "offset=34"]
        let found = try workspace.findings(in: recorded, as: "qq-mail")
        let objects = found.map { $0["object"] as? String ?? $0["kind"] as? String ?? "" }
        #expect(objects.contains("tick") || objects.contains("speed"), "\(found)")
        #expect(objects.contains("offset"), "\(found)")
    }

    /// A square of 40 points that turns by 90 degrees.
    private func writeSquare(_ name: String, radius: Double = 8, anchor: String = "0,0") throws {
        let shapes =
            #"{"ty":"rc","p":{"k":[0,0]},"s":{"k":[40,40]},"r":{"k":\#(radius)}},"#
            + #"{"ty":"fl","c":{"k":[0.1,0.4,0.8,1]},"o":{"k":100}}"#
        let square = layer("square", shapes, position: #"{"k":[40,40]}"#, angle: keys([(0, "0"), (60, "90")]))
        try write(name, square.replacingOccurrences(of: #""a":{"k":[0,0]}"#, with: #""a":{"k":[\#(anchor)]}"#))
    }

    /// A larger square would look nearly like one with sharp corners.
    @Test(.slow) func cornersAreNamed() throws {
        try writeSquare("round.json")
        try writeSquare("sharp.json", radius: 0)
        let found = try workspace.findings(in: ["sharp.json"], as: "round.json")
        #expect(found.first?["kind"] as? String == "cornerRadius", "\(found)")
        #expect(abs((found.first?["size"] as? Double ?? 0) - 8) < 1, "\(found)")
    }

    @Test(.slow) func anchorPointsAreNamed() throws {
        try writeSquare("centred.json")
        try writeSquare("aside.json", anchor: "6,0")
        let found = try workspace.findings(in: ["aside.json"], as: "centred.json")
        #expect(found.first?["kind"] as? String == "anchorPoint", "\(found)")
        #expect(abs((found.first?["size"] as? Double ?? 0) - 6) < 1, "\(found)")
    }
}
