import Core
import TestSupport
import Testing

@testable import Animations

@Suite struct CatalogTests {
    @Test(arguments: allIDs) func findsEveryLoader(id: String) throws {
        #expect(try LoaderCatalog.builtIn.definition(id).id == id)
    }

    @Test(arguments: [
        ("iqyi", "iqiyi"), ("qqmail", "qq-mail"), ("QQ-Mail", "qq-mail"), ("qq_pull", "qq-pull"), ("jely", "jelly"),
        ("pre-loader", "preloader"), ("one-loading", "oneloading"), ("duoyin", "douyin"), ("q", "qq"),
    ])
    func unknownIDsGetTheMostSimilarOneAsASuggestion(text: String, id: String) {
        #expect {
            _ = try LoaderCatalog.builtIn.definition(text)
        } throws: { error in
            guard let error = error as? ParameterError else { return false }
            return error.kind == .usage && error.description.contains("did you mean '\(id)'?")
                && error.description.contains("'\(text)'") && !error.description.contains("\n")
        }
    }

    @Test(arguments: ["", "spinner", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
    func dissimilarIDsGetAListOfAllLoaders(text: String) {
        #expect {
            _ = try LoaderCatalog.builtIn.definition(text)
        } throws: { error in
            let message = (error as? ParameterError)?.description ?? ""
            return !message.contains("did you mean") && allIDs.allSatisfy { message.contains($0) }
        }
    }
}

/// A loader that meets all requirements except those that a test breaks.
private struct ConfigurableLoader: Loader {
    var id: String { "configurable" }
    var canvas = Size(10, 10)
    var period: Rational = 1
    var background = Color.white
    var phaseDurations: [(name: LocalizedText, duration: Rational)] = [("all", 1)]
    var names: @Sendable (Rational) -> [String] = { _ in ["a", "b"] }
    var radius = 1.0

    func nodes(at time: Rational) -> [Node] { [] }
    func objects(at time: Rational) -> [MovingObject] {
        names(time).map { MovingObject($0, .white, at: .zero, radius: radius) }
    }
}

@Suite struct LoaderRequirementTests {
    private func refusal(_ change: (inout ConfigurableLoader) -> Void) -> String? {
        var loader = ConfigurableLoader()
        change(&loader)
        let definition = LoaderDefinition(loader)
        do throws(ParameterError) {
            _ = try definition.make()
            return nil
        } catch { return error.description }
    }

    @Test func validLoadersAreMade() { #expect(refusal { _ in } == nil) }

    @Test func violatedRequirementsAreReportedInOneLine() throws {
        let broken: [(String, (inout ConfigurableLoader) -> Void)] = [
            ("period is 0 s", { $0.period = 0 }), ("period is -1 s", { $0.period = Rational(-1) }),
            ("canvas", { $0.canvas = Size(0, 10) }), ("canvas", { $0.canvas = Size(10, .nan) }),
            ("background", { $0.background = Color(red: .nan, green: 0, blue: 0) }),
            ("must have a phase", { $0.phaseDurations = [] }),
            ("longer than 0 s", { $0.phaseDurations = [("a", 1), ("b", 0)] }),
            ("phases take 0.5 s", { $0.phaseDurations = [("a", Rational(1, 2))] }),
            ("same name", { $0.names = { _ in ["a", "a"] } }),
            ("same ones", { $0.names = { $0 < Rational(1, 2) ? ["a", "b"] : ["a"] } }),
            ("not finite", { $0.radius = .infinity }),
        ]
        for (word, change) in broken {
            let text = try #require(refusal(change), "\(word)")
            #expect(text.contains(word) && text.contains("configurable") && !text.contains("\n"), "\(text)")
        }
    }

    @Test func catalogReadsFilesOfRegisteredKinds() throws {
        let kind = LoaderCatalog.FileKind(suffixes: [".spin"]) { (path) throws(ParameterError) in
            guard path != "bad.spin" else { throw ParameterError(.data, "bad.spin is damaged") }
            return LoaderDefinition(ConfigurableLoader())
        }
        let catalog = LoaderCatalog.builtIn.adding(kind)
        #expect(try catalog.definition("folder/A.SPIN").id == "configurable")
        #expect(throws: ParameterError(.data, "bad.spin is damaged")) { try catalog.definition("bad.spin") }
        #expect(throws: ParameterError.self) { try LoaderCatalog.builtIn.definition("folder/A.SPIN") }
        let replacement = LoaderDefinition(id: "qq", title: "other") { _ in ConfigurableLoader() }
        #expect(try catalog.adding([replacement]).definition("qq").title == "other")
        let addition = LoaderDefinition(ConfigurableLoader())
        #expect(catalog.adding([addition]).ids == LoaderCatalog.builtIn.ids + ["configurable"])
    }
}
