import Animations
import Core
import Render
import Testing

@testable import Explain

/// The texts of a page about a script's loader.
@Suite struct PhaseTextTests {
    /// Texts belong to the phases that the step lists, in any order.
    @Test func phaseTextsAreInPhaseOrder() throws {
        let text = "tutorial: qq-mail\nsteps: [{phases: [2, 0], say: [This is two., This is zero.]}]\n"
        let script = try ScriptDirectory(["s.yaml": text]).script()
        let texts = try script.texts(for: script.loader).phases
        let phases = try LoaderRenderer(script.loader).loader.phases
        #expect(texts.count == phases.count)
        #expect([0, 2].map { texts[$0].text.english } == ["This is zero.", "This is two."])
        #expect(texts[1].text == phases[1].name && texts.map(\.start) == phases.map(\.start))
    }

    /// Pages of a script show the loader with the page's own settings.
    @Test func phaseTextsAreThoseOfTheRequest() throws {
        let text = "tutorial: qq-mail\nsteps: [{phases: [1], say: ['Lasts {{phase.duration}} s.']}]\n"
        let script = try ScriptDirectory(["s.yaml": text]).script()
        var request = script.loader
        request.settings.append("ticksPerPhase=60")
        let texts = try script.texts(for: request).phases
        #expect(texts[1].text.english == "Lasts 0.48 s.", "\(texts[1].text.english)")
        #expect(texts[1].start == Rational(48, 100))
        let wrong = try ScriptDirectory(["s.yaml": text.replacingOccurrences(of: "[1]", with: "[9]")]).script()
        #expect(throws: DocumentError.self) { try wrong.texts(for: wrong.loader) }
    }
}
