import Animations
import Core
import Foundation
import Testing

@testable import Inspect

@Suite struct EasingFindingTests {
    private func loader(_ id: String) throws -> any Loader {
        try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id }).make()
    }

    /// Two cycles at 60 frames per second of a loader with one phase whose progress is changed.
    private func samples(
        _ loader: any Loader, offset: Double, _ change: (Double) -> Double
    ) -> [EasingFinding.Sample] {
        let period = loader.period.double
        return (0..<Int(2 * period * 60)).map { index in
            let time = Double(index) / 60
            let cycle = (time / period).rounded(.down)
            let shown = period * (cycle + change(time / period - cycle))
            return EasingFinding.Sample(shown: shown, expected: time - offset)
        }
    }

    /// Timing functions are named wherever the design was placed in time by mistake.
    @Test(arguments: [0, 0.1, -0.2]) func timingFunctionsAreNamed(offset: Double) throws {
        let loader = try loader("oneloading")
        let samples = samples(loader, offset: offset) { TimingFunction.easeInEaseOut($0) }
        let fit = try #require(EasingFinding(samples, loader, JudgeTolerance()).named())
        #expect(fit.names?.from == "linear" && fit.names?.to == "easeInEaseOut")
        #expect(fit.phases == [0])
        #expect(fit.residual < 0.02)
    }

    /// Even motion has no timing function but its own.
    @Test(arguments: [0, 0.1]) func evenMotionIsAsDesigned(offset: Double) throws {
        let loader = try loader("oneloading")
        let finding = EasingFinding(samples(loader, offset: offset) { $0 }, loader, JudgeTolerance())
        #expect(finding.named()?.phases == nil)
        #expect(finding.unnamed()?.phases == nil)
    }

    /// A phase whose motion rests in the middle has a timing function before and after the rest.
    @Test func restsDividePhases() throws {
        let loader = try loader("oneloading")
        let samples = samples(loader, offset: 0) { fraction in
            let half = fraction < 0.5 ? 0 : 0.5
            return half + TimingFunction.easeInEaseOut(2 * (fraction - half)) / 2
        }
        let fit = try #require(EasingFinding(samples, loader, JudgeTolerance(), rests: [0, 1]).named())
        #expect(fit.names?.from == "linear" && fit.names?.to == "easeInEaseOut")
        #expect(fit.phases == [0, 1])
    }

    /// The parts of a divided phase have one name, and do not count as phases.
    @Test func dividedPhasesAreNamedOnce() throws {
        let loader = try loader("qq-pull")
        let rest = loader.phases[0].duration.double / 2
        let finding = EasingFinding([], loader, JudgeTolerance(), rests: [rest])
        let deviation = finding.deviation(.init(names: nil, phases: [0, 1, 2], residual: 0))
        #expect(deviation.text.contains("in phase rest, pull:"), "\(deviation.text)")
    }

    /// Times far from the design are never as designed, even if no timing function explains them.
    @Test func unexplainedTimesAreFound() throws {
        let loader = try loader("oneloading")
        let samples = samples(loader, offset: 0) { $0 + 0.04 * sin(6 * .pi * $0) }
        #expect(EasingFinding(samples, loader, JudgeTolerance()).unexplained != nil)
        let even = EasingFinding(self.samples(loader, offset: 0.1) { $0 }, loader, JudgeTolerance())
        #expect(even.unexplained == nil)
    }
}
