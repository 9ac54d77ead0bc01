import Animations
import Core
import Foundation
import Media
import Raster
import TestSupport

@testable import Lottie

/// The result of reading and drawing an untrusted file, with the time and memory used.
struct HostileFile {
    enum Fate { case drawn, refused }

    private(set) var fate = Fate.refused
    /// The CPU time to make the loader, in seconds.
    private(set) var reading = 0.0
    /// The CPU time of the slowest frame, in seconds.
    private(set) var drawing = 0.0
    /// The growth of the peak of resident memory, in bytes.
    private(set) var memory = 0
    /// Violations of the rules for untrusted files.
    private(set) var problems: [String] = []
    /// The error that the file was refused with.
    private(set) var refusal = ""

    /// Reads a file, with `lenient` if necessary, and draws it at several times.
    init(_ bytes: [UInt8], isArchive: Bool = false, side: Int, in directory: TemporaryDirectory) throws {
        let path = directory.file(isArchive ? "hostile.lottie" : "hostile.json")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        _ = ResidentMemory.resetPeak()
        let before = ResidentMemory.now ?? 0
        do {
            let start = Self.now
            defer { reading = reading > 0 ? reading : Self.now - start }
            let loader = try self.loader(path)
            reading = Self.now - start
            fate = .drawn
            try draw(loader, side: side)
        } catch let error as ParameterError {
            refusal = error.description
            for line in [error.description] + error.related { expectLine(line) }
            if error.kind != .data { problems.append("the error has the kind \(error.kind) instead of data") }
        } catch { problems.append("\(error)") }
        memory = max(0, (ResidentMemory.peak ?? 0) - before)
    }

    private mutating func loader(_ path: String) throws -> any Loader {
        let definition = try LottieFiles.definition(path)
        do { return try definition.make() } catch {
            guard error.related.last?.contains("pass lenient") == true else { throw error }
            for line in [error.description] + error.related { expectLine(line) }
            return try definition.make(
                ParameterValues(
                    ["lenient=true"], for: definition,
                    loadImage: { (path) throws(ParameterError) in throw ParameterError(.usage, path) }))
        }
    }

    private mutating func draw(_ loader: any Loader, side: Int) throws {
        for line in loader.omissions + loader.details.map(\.text) + [loader.title.english] { expectLine(line) }
        for phase in loader.phases { expectLine(phase.name.english) }
        let rasterizer = try Rasterizer(width: side, height: side)
        for time in [Rational.zero, loader.period * Rational(37, 100), loader.period * Rational(9999, 10_000)] {
            let start = Self.now
            try rasterizer.draw(loader.scene(at: time))
            drawing = max(drawing, Self.now - start)
            for object in loader.objects(at: time) { expectLine(object.name) }
        }
    }

    private mutating func expectLine(_ line: String) {
        let isPlain = line.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        if !isPlain || line.utf8.count > 2000 {
            problems.append("not a plain line: \(line.prefix(300).debugDescription)")
        }
    }

    /// The CPU time of this thread, in seconds.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
