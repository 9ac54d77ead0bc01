import Foundation
import Loaders
import Media
import Motion
import Platform
import Raster
import Scene
import TestSupport

@testable import Lottie

/// What became of a file that was read and drawn, and what that took.
struct HostileFile {
    enum Fate { case drawn, refused }

    private(set) var fate = Fate.refused
    /// Processor time in seconds: until the loader was made, and of the slowest picture.
    private(set) var reading = 0.0
    private(set) var drawing = 0.0
    /// Bytes that were there at most and were not before.
    private(set) var memory = 0
    /// What should not have happened.
    private(set) var problems: [String] = []
    /// Why it was refused.
    private(set) var refusal = ""

    /// Reads a file as it is and without what is not supported, and draws it at several instants.
    init(_ bytes: [UInt8], isArchive: Bool = false, side: Int, in directory: TemporaryDirectory) throws {
        let path = directory.file(isArchive ? "hostile.lottie" : "hostile.json")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        _ = ResidentMemory.forgetsPeak()
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
            for line in [error.description] + error.others { expectLine(line) }
            if error.kind != .data { problems.append("it is to blame, and not \(error.kind)") }
        } catch { problems.append("\(error)") }
        memory = max(0, (ResidentMemory.peak ?? 0) - before)
    }

    private mutating func loader(_ path: String) throws -> any Loader {
        let definition = try LottieFiles.definition(path)
        do { return try definition.make() } catch {
            guard error.others.last?.hasSuffix("--lenient") == true else { throw error }
            for line in [error.description] + error.others { expectLine(line) }
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
        if !isPlain || line.utf8.count > 2000 { problems.append("no plain line: \(line.prefix(300).debugDescription)") }
    }

    /// The processor time that this thread has taken, in seconds.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
