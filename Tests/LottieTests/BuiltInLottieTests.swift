import Animations
import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Built-in loaders written as Lottie files have the same frames and timing as in Swift.
@Suite struct BuiltInLottieTests {
    private func original(_ loader: BuiltInLottie) throws -> any Loader {
        try LoaderCatalog.builtIn.definition(loader.rawValue).make()
    }

    @Test(arguments: BuiltInLottie.allCases) func phasesAreTheSame(loader: BuiltInLottie) throws {
        let swiftLoader = try original(loader)
        let lottieLoader = try LottieFixture(loader.json).loader
        #expect(lottieLoader.period == swiftLoader.period && lottieLoader.canvas == swiftLoader.canvas)
        #expect(lottieLoader.phases.map { $0.name.text(in: .en) } == swiftLoader.phases.map { $0.name.text(in: .en) })
        #expect(lottieLoader.phases.map(\.start) == swiftLoader.phases.map(\.start))
        #expect(lottieLoader.phases.map(\.duration) == swiftLoader.phases.map(\.duration))
    }

    /// Returns the peak signal-to-noise ratio in decibels.
    private func psnr(_ a: PixelGrid, _ b: PixelGrid) -> Double {
        let sum = zip(a.pixels, b.pixels).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        // The alpha channel is opaque in both bitmaps and is not counted.
        let mean = sum / Double(a.pixels.count / 4 * 3)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }

    @Test(arguments: BuiltInLottie.allCases) func framesAreTheSame(loader: BuiltInLottie) throws {
        let swiftLoader = try original(loader)
        let lottieLoader = try LottieFixture(loader.json).loader
        for part in 0..<97 {
            // 97 is prime, so only the first time is at a frame of the Lottie file.
            let time = swiftLoader.period * Rational(Int128(part), 97)
            let bitmaps = try [swiftLoader.scene(at: time), lottieLoader.scene(at: time)].map {
                try PixelGrid(of: $0, width: 240, height: 240)
            }
            let psnr = psnr(bitmaps[0], bitmaps[1])
            #expect(psnr >= 45, "\(loader.rawValue) at \(time) s: \(psnr) dB")
        }
        let boundaries = swiftLoader.phases.map(\.start)
        for time in boundaries + boundaries.dropFirst().map({ $0 - Rational(1, 1_000_000) }) {
            let bitmaps = try [swiftLoader.scene(at: time), lottieLoader.scene(at: time)].map {
                try PixelGrid(of: $0, width: 240, height: 240)
            }
            #expect(psnr(bitmaps[0], bitmaps[1]) >= 45, "\(loader.rawValue) at \(time) s")
        }
    }
}
