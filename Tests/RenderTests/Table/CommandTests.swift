import Animations
import Core
import Foundation
import Render
import TestSupport
import Testing

@Suite struct PhasesCommandTests {
    @Test func printsTheArticlesTable() throws {
        let result = try Binary.run("phases", "qq-mail")
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(result.lines.contains("displacement by step: [-1, 1, 1, -1, 0, 0]"))
        #expect(result.lines.contains("starting steps: red 1, yellow 5, green 3"))
        #expect(result.text.contains("green   step 3  -1  +30 -> 0"))
    }

    /// A phase can contain objects with and without steps.
    @Test(arguments: LoaderCatalog.builtIn.ids) func everyTableIsPrinted(id: String) throws {
        let result = try Binary.run("phases", id)
        #expect(result.code == 0 && result.errors.isEmpty)
        let table = PhaseTable(try loader(id))
        #expect(result.lines.filter { $0.hasPrefix("phase ") }.count == table.rows.count)
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func csvHoldsTheTable(id: String) throws {
        let table = PhaseTable(try loader(id))
        let result = try Binary.run("phases", id, "--csv")
        let rows = parseCSV(result.text)
        #expect(
            rows.first?.joined(separator: ",")
                == "phase,name,start,duration,object,stage,direction,from_x,from_y,to_x,to_y")
        let motions = table.rows.flatMap { row in row.motions.map { (row.phase, $0) } }
        #expect(rows.count == motions.count + 1)
        for (cells, (phase, motion)) in zip(rows.dropFirst(), motions) {
            #expect(cells[0] == "\(phase.index)" && cells[1] == phase.name.english && cells[4] == motion.object)
            #expect(
                cells[5] == motion.step.map { "\($0)" } ?? "" && cells[6] == motion.direction.map { "\($0)" } ?? "")
            let numbers = (cells[2...3] + cells[7...]).compactMap { Double($0) }
            let expected = [
                phase.start.double, phase.duration.double, motion.from.x, motion.from.y, motion.to.x, motion.to.y,
            ]
            #expect(numbers.count == 6 && zip(numbers, expected).allSatisfy { abs($0 - $1) < 1e-8 })
        }
    }

    /// A table can contain objects with and without steps.
    @Test(arguments: LoaderCatalog.builtIn.ids) func textHoldsEveryMotion(id: String) throws {
        let table = PhaseTable(try loader(id))
        let result = try Binary.run("phases", id)
        #expect(result.code == 0 && result.errors.isEmpty)
        let rows = result.lines.filter { $0.hasPrefix("    ") }
        let motions = table.rows.flatMap { row in
            row.motions.indices.map {
                (row.motions[$0].object, table.displacement(ofObject: $0, inPhase: row.phase.index, isASCII: true))
            }
        }
        #expect(rows.count == motions.count)
        for (row, motion) in zip(rows, motions) {
            #expect(row.hasPrefix("    \(motion.0) ") && row.hasSuffix("  \(motion.1)"), "\(row)")
        }
    }

    @Test(arguments: LoaderCatalog.builtIn.ids) func jsonHoldsTheTable(id: String) throws {
        struct Report: Decodable {
            struct Position: Decodable { var x: Double, y: Double }
            struct Motion: Decodable {
                var object: String
                var stage: Int?, direction: Int?
                var from: Position, to: Position
            }
            struct Row: Decodable {
                var phase: Int
                var name: String, exactStart: String
                var start: Double, duration: Double
                var objects: [Motion]
            }
            var loader: String
            var period: Double
            var table: [Int]?
            var starts: [String: Int]?
            var phases: [Row]
        }
        let table = PhaseTable(try loader(id))
        let report = try JSONDecoder().decode(Report.self, from: Data(try Binary.run("phases", id, "--json").output))
        #expect(report.loader == id && report.period == table.period.double && report.table == table.displacements)
        #expect(
            report.starts ?? [:] == Dictionary(uniqueKeysWithValues: table.startingSteps.map { ($0.object, $0.step) })
        )
        #expect(report.phases.map(\.name) == table.rows.map(\.phase.name.english))
        #expect(report.phases.map(\.exactStart) == table.rows.map { "\($0.phase.start)" })
        let ends = report.phases.flatMap(\.objects).map { Point($0.to.x, $0.to.y) }
        #expect(ends == table.rows.flatMap(\.motions).map(\.to))
    }

    @Test func plotsAreReproducible() throws {
        let directory = try TemporaryDirectory()
        for suffix in ["svg", "png"] {
            let files = try ["a", "b"].map { name in
                let file = directory.file("\(name).\(suffix)")
                #expect(try Binary.run("phases", "jelly", "--plot", file, "--lang", "zh").code == 0)
                return try bytes(of: file)
            }
            #expect(files[0] == files[1] && files[0].count > 10_000)
            let start = suffix == "svg" ? Array("<?xml".utf8) : [0x89, 0x50, 0x4E, 0x47]
            #expect(files[0].starts(with: start))
        }
        let again = try Binary.run("phases", "jelly", "--plot", directory.file("a.svg"))
        #expect(again.code == 73 && again.errorText.contains("--force") && again.output.isEmpty)
    }

    @Test(arguments: Mistake.all) func errorsAreOneLine(mistake: Mistake) throws {
        let result = try Binary.run(mistake.words.split(separator: " ").map(String.init))
        #expect(result.code == mistake.code, "\(result.errorText)")
        #expect(result.output.isEmpty && result.errorText.hasPrefix("loadervid: "))
        #expect(result.errorLines.count == 1)
    }
}

/// An invalid command line.
struct Mistake: Sendable, CustomTestStringConvertible {
    let words: String
    let code: Int32
    var testDescription: String { words }

    static let all = [
        Mistake(words: "phases qq-male", code: 64), Mistake(words: "phases qq-mail --csv --json", code: 64),
        Mistake(words: "phases qq-mail --plot a.gif", code: 64),
        Mistake(words: "phases qq-mail --set offset=1000", code: 64),
        Mistake(words: "phases qq-pull --set gesture=0:0,1:90,2:0", code: 65),
        Mistake(words: "telemetry qq", code: 64), Mistake(words: "telemetry qq --fps 0", code: 64),
        Mistake(words: "telemetry qq --fps 60 --slowmo 2000", code: 64),
        Mistake(words: "telemetry jelly --fps 1000 --slowmo 1000 --set duration=600", code: 64),
        Mistake(words: "sheet qq -o /nowhere/a.png", code: 73),
        Mistake(words: "sheet qq -o a.png --columns 0", code: 64),
        Mistake(words: "sheet qq -o a.png --per-phase 1000", code: 64),
        Mistake(words: "sheet qq -o a.png --lang fr", code: 64),
        Mistake(words: "still qq --at 0 -o a.png --annotate phase", code: 64),
    ]
}

@Suite struct TelemetryCommandTests {
    @Test(.slow, arguments: LoaderCatalog.builtIn.ids) func csvAndJSONAgreeWithTheModel(id: String) throws {
        let loader = try loader(id)
        let rate = try #require(FrameRate(text: "30000/1001"))
        let map = TimeMap(period: loader.period, frameRate: rate, slowmo: 1, extent: .cycles(1))
        let telemetry = Telemetry(loader, timeMap: map, frameRate: rate)
        let samples = (0..<telemetry.frameCount).flatMap { telemetry.samples(ofFrame: $0) }
        let rows = parseCSV(try Binary.run("telemetry", id, "--fps", "29.97", "--csv").text)
        let json = Data(try Binary.run("telemetry", id, "--fps", "29.97", "--json").output)
        let objects = try #require(JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        #expect(rows.count == samples.count + 1 && objects.count == samples.count)
        let names = ["frame", "time", "model_time", "phase", "object", "x", "y", "vx", "vy", "radius", "depth"]
        #expect(rows.first == names)
        for (index, sample) in samples.enumerated() {
            let expected: [Double] = [
                Double(sample.frame), sample.time.double, sample.modelTime.double, Double(sample.phase),
                sample.position.x, sample.position.y, sample.velocity.x, sample.velocity.y, sample.radius,
                Double(sample.depth),
            ]
            let cells = rows[index + 1]
            #expect(cells[4] == sample.object && objects[index]["object"] as? String == sample.object)
            let printed = (cells[..<4] + cells[5...]).compactMap { Double($0) }
            let decoded = names.filter { $0 != "object" }.compactMap { (objects[index][$0] as? NSNumber)?.doubleValue }
            #expect(printed.count == 10 && zip(printed, expected).allSatisfy { abs($0 - $1) < 1e-8 })
            #expect(decoded == printed)
        }
    }

    @Test func defaultFormatIsCSVAndSlowMotionHasMoreFrames() throws {
        let plain = try Binary.run("telemetry", "qq-mail", "--fps", "25")
        #expect(try plain.text == Binary.run("telemetry", "qq-mail", "--fps", "25", "--csv").text)
        let slow = try Binary.run("telemetry", "qq-mail", "--fps", "25", "--slowmo", "5/2")
        #expect(plain.lines.count == 1 + 3 * 36 && slow.lines.count == 1 + 3 * 90)
        #expect(slow.lines[1] == "0,0,0,0,red,30,30,125,0,6.5,1")
        let exact = try Binary.run("telemetry", "qq-mail", "--fps", "24", "--timing", "exact")
        #expect(exact.lines[4].hasPrefix("1,0.041666667,0.041666667,0,red,35.208333333,"))
    }
}

@Suite struct FrameCommandTests {
    private func size(_ arguments: [String]) throws -> (width: Int, height: Int)? {
        let result = try Binary.run(arguments + ["-o", "-"])
        #expect(result.code == 0, "\(result.errorText)")
        return PixelGrid(png: result.output).map { ($0.width, $0.height) }
    }

    @Test func sheetsHaveTheRequestedNumberOfCells() throws {
        let usual = try #require(try size(["sheet", "qq-mail", "--scale", "1"]))
        let narrow = try #require(try size(["sheet", "qq-mail", "--scale", "1", "--columns", "2", "--per-phase", "1"]))
        let large = try #require(try size(["sheet", "qq-mail", "--lang", "zh", "--annotate", "all", "--scale", "1/2"]))
        #expect(usual.width == 970 && narrow.width < usual.width && narrow.height < usual.height)
        #expect(large.width == usual.width / 2)
    }

    @Test func annotatedStillsHaveTheirOwnSize() throws {
        let bare = try #require(try size(["still", "qq-mail", "--at", "1"]))
        let usual = try #require(try size(["still", "qq-mail", "--at", "1", "--annotate", "all"]))
        let small = try #require(
            try size(["still", "qq-mail", "--at", "phase:2+1/2", "--annotate", "phases,timeline", "--scale", "1"]))
        let exact = try #require(
            try size(["still", "qq-mail", "--at", "1", "--annotate", "all", "--lang", "zh", "--size", "800x600"]))
        #expect(bare == (480, 240) && usual == (1280, 960) && small == (640, 480) && exact == (800, 600))
    }

    @Test func annotatedClipsAreEncoded() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("a.mp4")
        let result = try Binary.run(
            "encode", "qq-mail", "--annotate", "all", "--lang", "zh", "--scale", "1", "--fps", "25",
            "--speed", "ultrafast", "-o", file)
        #expect(result.code == 0, "\(result.errorText)")
        #expect(result.text.contains("36 frames") && result.text.contains("640x480"))
    }
}
