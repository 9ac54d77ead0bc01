import Loaders
import Motion
import Platform
import Raster
import Scene
import TestSupport
import Testing

@testable import Lottie

/// Loaders of ours that are written as Lottie look and are timed like those in Swift.
@Suite struct OwnLoaderTests {
    private func original(_ loader: OwnLoader) throws -> any Loader {
        try LoaderCatalog.builtIn.definition(loader.rawValue).make()
    }

    @Test(arguments: OwnLoader.allCases) func phasesAreTheSame(loader: OwnLoader) throws {
        let (ours, theirs) = (try original(loader), try Film(loader.json).loader)
        #expect(theirs.period == ours.period && theirs.canvas == ours.canvas)
        #expect(theirs.phases.map { $0.name.text(in: .en) } == ours.phases.map { $0.name.text(in: .en) })
        #expect(theirs.phases.map(\.start) == ours.phases.map(\.start))
        #expect(theirs.phases.map(\.duration) == ours.phases.map(\.duration))
    }

    /// The peak signal beside the noise, in decibels.
    private func likeness(_ a: PixelGrid, _ b: PixelGrid) -> Double {
        let sum = zip(a.pixels, b.pixels).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        // The fourth channel is opaque in both and tells nothing.
        let mean = sum / Double(a.pixels.count / 4 * 3)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }

    @Test(arguments: OwnLoader.allCases) func picturesAreTheSame(loader: OwnLoader) throws {
        let (ours, theirs) = (try original(loader), try Film(loader.json).loader)
        for part in 0..<97 {
            // None is a frame but the first, and phases meet among them.
            let time = ours.period * Rational(Int128(part), 97)
            let pictures = try [ours.scene(at: time), theirs.scene(at: time)].map {
                try PixelGrid(of: $0, width: 240, height: 240)
            }
            let likeness = likeness(pictures[0], pictures[1])
            #expect(likeness >= 45, "\(loader.rawValue) at \(time) s: \(likeness) dB")
        }
        let boundaries = ours.phases.map(\.start)
        for time in boundaries + boundaries.dropFirst().map({ $0 - Rational(1, 1_000_000) }) {
            let pictures = try [ours.scene(at: time), theirs.scene(at: time)].map {
                try PixelGrid(of: $0, width: 240, height: 240)
            }
            #expect(likeness(pictures[0], pictures[1]) >= 45, "\(loader.rawValue) at \(time) s")
        }
    }
}
