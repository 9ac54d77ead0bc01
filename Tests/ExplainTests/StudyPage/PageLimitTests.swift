import Foundation
import TestSupport
import Testing

/// Untrusted files for which a page would take hours of work or hundreds of megabytes.
@Suite struct PageLimitTests {
    /// Eight stars with `points` points, which rotate and are merged again in every frame, by a mode
    /// of Lottie: 4 keeps their intersection, 5 what an odd number of them covers.
    private static func stars(points: Int, seconds: Int = 10, mode: Int = 5) -> String {
        let stars = (0..<8).map { index in
            """
            {"ty":"sr","sy":1,"p":{"k":[\(256 + 3 * index),\(256 + 2 * index)]},"pt":{"k":\(points)},"or":{"k":250},
             "ir":{"k":100},"os":{"k":0},"is":{"k":0},"r":{"a":1,"k":[{"t":0,"s":[0],"i":{"x":1,"y":1},
             "o":{"x":0,"y":0}},{"t":\(60 * seconds),"s":[\(360 + 7 * index)]}]}}
            """
        }
        let items = stars + [#"{"ty":"mm","mm":\#(mode)}"#, #"{"ty":"fl","c":{"k":[1,0,0]},"o":{"k":100}}"#]
        return film([#"{"ty":4,"nm":"stars","ip":0,"op":9999,"shapes":[\#(items.joined(separator: ","))]}"#], seconds)
    }

    /// Layers that move, rotate, scale and fade continuously.
    private static func layers(_ count: Int, seconds: Int = 10) -> String {
        func moves(_ from: String, _ to: String) -> String {
            #"{"a":1,"k":[{"t":0,"s":[\#(from)],"i":{"x":0.5,"y":1},"o":{"x":0.5,"y":0}},{"t":\#(60 * seconds),"s":[\#(to)]}]}"#
        }
        let disc = #"[{"ty":"el","p":{"k":[0,0]},"s":{"k":[30,20]}},{"ty":"fl","c":{"k":[1,0,0]},"o":{"k":100}}]"#
        let layers = (0..<count).map { index in
            let (x, y) = (index % 20 * 25, index / 20 * 30)
            let position = moves("\(x),\(y)", "\(500 - x),\(480 - y)")
            return #"{"ty":4,"nm":"l\#(index)","ip":0,"op":9999,"shapes":\#(disc),"ks":{"p":\#(position),"#
                + #""r":\#(moves("0", "360")),"s":\#(moves("50,50", "100,100")),"o":\#(moves("100", "30"))}}"#
        }
        return film(layers, seconds)
    }

    private static func film(_ layers: [String], _ seconds: Int) -> String {
        #"{"v":"5.5.0","fr":60,"ip":0,"op":\#(60 * seconds),"w":512,"h":512,"layers":[\#(layers.joined(separator: ","))]}"#
    }

    private func maker(_ film: String) throws -> PageMaker {
        let maker = try PageMaker()
        try makeFile(film, at: maker.directory.file("film.json"))
        return maker
    }

    /// Refusing takes a few seconds, and the message names a size that would work.
    @Test(.slow, arguments: some(of: [16, 18], each: 2)) func hoursOfWorkAreRefused(points: Int) throws {
        // At the lowest rate this takes twice the limit, so the test also passes on a faster
        // machine.
        let maker = try maker(Self.stars(points: points, seconds: 160))
        let outcome = try maker.run("page", "film.json", "-o", "a.html", "--progress", "none")
        #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(
            outcome.errorText.contains(#/: a page of [0-9]+ frames takes about [0-9]+ s of /#), "\(outcome.errorText)")
        for word in ["film.json", "s of CPU time", "maximum of 300 s"] {
            #expect(outcome.errorText.contains(word), "\(outcome.errorText)")
        }
        // The rate that is fast enough depends on the machine.
        #expect(outcome.errorText.contains(/; (pass --fps (60|120|240|480)|shorten the animation)/))
        #expect(outcome.cpuSeconds < 15)
        #expect(try maker.directory.names() == ["film.json"])
    }

    /// A page with many numbers gets a lower frame rate before it is refused. The result is the
    /// same on every machine.
    @Test(.slow) func largePagesHaveFewerFrames() throws {
        let maker = try maker(Self.layers(200, seconds: 4))
        let outcome = try maker.run("page", "film.json", "-o", "a.html", "--progress", "plain")
        #expect(outcome.code == 0, "\(outcome.errorText)")
        #expect(outcome.errorLines.last == "a.html: reduced to 480 frames/s, because the page would be too large")
        let text = try String(contentsOfFile: maker.directory.file("a.html"), encoding: .utf8)
        #expect(try PageContents(text).rate == 480 && text.utf8.count < 16_100_000)
        let forced = try maker.run("page", "film.json", "-o", "b.html", "--fps", "960")
        #expect(forced.code == 65 && forced.errorLines.last?.hasSuffix("pass --fps 480") == true, "\(forced.errorText)")
        #expect(forced.errorText.contains("exceed the maximum of 5000000 numbers"))
    }

    @Test(arguments: some(of: [60, 120, 240, 480, 960], each: 2)) func fpsSetsTheFrameRate(rate: Int) throws {
        let contents = try PageContents(PageMaker().page("qq-mail", "--fps", "\(rate)"))
        #expect(contents.rate == rate && contents.step == max(1, rate / 240))
        #expect(contents.frames == Int((contents.period * Double(rate)).rounded(.up)))
        for phase in contents.phases {
            let start = try #require(Double(phase.start))
            #expect(Double(phase.first) >= start * Double(rate) - 1e-9)
            #expect(Double(phase.first - 1) < start * Double(rate))
        }
    }

    @Test(arguments: ["0", "-60", "50", "1920"]) func unsupportedRatesAreErrors(rate: String) throws {
        let outcome = try PageMaker().run("page", "qq-mail", "--fps", rate, "-o", "a.html")
        #expect(outcome.code == 64 && outcome.errorLines.count == 1, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("\(rate) frames/s; give one of 60, 120, 240, 480, 960"))
    }

    @Test(.slow) func progressIsShown() throws {
        let maker = try maker(Self.layers(100, seconds: 2))
        let outcome = try maker.run("page", "film.json", "-o", "a.html", "--fps", "240", "--progress", "json")
        #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errorText)")
        let last = try #require(outcome.errorLines.last)
        #expect(last.contains(#""event":"done""#) && last.contains(#""frame":480,"frames":480"#), "\(last)")
        let bar = try maker.run("page", "film.json", "-o", "b.html", "--fps", "240", "--progress", "bar")
        // A fast machine is done before the bar shows a figure; it clears the bar all the same.
        #expect(bar.code == 0 && bar.errorText.contains("\u{1B}[K"), "\(bar.errorText)")
    }

    @Test(.slow, arguments: some(of: [SIGINT, SIGTERM], each: 2)) func signalsEndTheWorkAtOnce(signal: Int32) throws {
        let maker = try maker(Self.stars(points: 12, seconds: 30, mode: 4))
        // The whole page takes over two minutes of CPU time, and starting takes less than a second.
        // The low priority keeps the program from finishing while other tests delay this one.
        let process = try Subprocess(
            "nice",
            ["-n", "19", builtProgram, "page", "film.json", "-o", "a.html", "--fps", "120", "--progress", "none"],
            directory: maker.directory)
        while process.cpuSecondsSoFar < 2 {
            try #require(process.isRunning)
            usleep(20_000)
        }
        let start = Date()
        process.send(signal)
        let outcome = try process.wait(timeout: 60)
        // The rest of the work would take longer, even on an idle machine.
        #expect(Date().timeIntervalSince(start) < 10)
        #expect(outcome.code == 130 && outcome.errorLines.last?.contains("interrupted") == true, "\(outcome.errorText)")
        #expect(try maker.directory.names() == ["film.json"])
    }
}
