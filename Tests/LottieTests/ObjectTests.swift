import Animations
import Core
import Render
import Testing

@testable import Lottie

/// The objects that annotations, charts and tables show.
@Suite struct ObjectTests {
    private static let fall = keys(key(0, [50, 20]), key(10, [50, 80]))

    private func names(_ json: JSON) throws -> [String] {
        try LottieFixture(json).loader.objects(at: 0).map(\.name)
    }

    @Test func layersOfPrecompositionsAreObjects() throws {
        let json = lottie(
            precomposition("outer", ["nm": "wrapper"]),
            assets: [
                asset("outer", precomposition("inner", at: ["p": [10, 0]], ["nm": "scene"])),
                asset("inner", disc(Self.fall, ["nm": "ball"]), solid("#0f0", 5, 5, ["nm": "ground"])),
            ])
        let loader = try LottieFixture(json).loader
        let start = try #require(loader.objects(at: 0).first)
        #expect(start.name == "ball" && start.position == Point(60, 20))
        #expect(loader.objects(at: 0).count == 1)
        #expect(abs(loader.objects(at: Rational(1, 2))[0].position.y - 50) < 1e-6)
    }

    @Test func aMovingPrecompositionOfStillLayersIsOneObject() throws {
        let json = lottie(
            precomposition("cart", at: ["p": keys(key(0, [0, 0]), key(10, [50, 0]))], ["nm": "cart"]),
            assets: [asset("cart", solid("#f00", 9, 9, ["nm": "box"]), solid("#00f", 9, 9, ["nm": "axle"]))])
        #expect(try names(json) == ["cart"])
    }

    @Test func instancesOfAPrecompositionAreToldApartByTheirOuterNames() throws {
        let json = lottie(
            precomposition("dot", at: ["p": [-20, 0]], ["nm": "left"]),
            precomposition("dot", at: ["p": [20, 0]], ["nm": "right"]),
            assets: [asset("dot", disc(Self.fall, ["nm": "ellipse"]))])
        #expect(try names(json) == ["left", "right"])
    }

    @Test func layersThatNobodySeesMoveAreLeftOut() throws {
        let json = lottie(
            disc(Self.fall, ["nm": "ball"]), disc(Self.fall, ["nm": "hidden", "hd": true]),
            disc(keys(key(0, [300, 20]), key(10, [300, 80])), ["nm": "outside"]),
            shapes(
                ellipse([0, 0], [20, 20]), fill(black), at: ["p": Self.fall, "o": 0], ["nm": "transparent"]),
            disc(keys(key(0, [20, 20]), key(10, [20, 20])), ["nm": "still"]),
            disc(keys(key(0, [20, 20]), key(10, [20.3, 20])), ["nm": "trembling"]),
            solid("#fff", ["nm": "cover"]), disc(keys(key(0, [80, 20]), key(10, [80, 80])), ["nm": "covered"]))
        let shown = try names(json)
        #expect(shown == ["ball"])
        let all = try LottieFixture(json).loader.withAllObjects.objects(at: 0).map(\.name)
        #expect(all == ["ball", "outside", "transparent", "still", "trembling", "covered"])
    }

    @Test func atMostEightObjectsAreShownByAreaTimesTravel() throws {
        let discs = (1...12).map { number -> JSON in
            let size = Double(number) + 4
            let x = Double(8 * number)
            return shapes(
                ellipse([0, 0], list([size, size])), fill(black),
                at: ["p": keys(key(0, list([x, 20])), key(10, list([x, 80])))], ["nm": .string("disc \(number)")])
        }
        let json = JSON.object(["layers": .array(discs)])
        guard case .object(let members) = json else { return }
        let loader = try LottieFixture(lottie().with(members)).loader
        #expect(loader.objects(at: 0).map(\.name) == (5...12).map { "disc \($0)" })
        #expect(loader.withAllObjects.objects(at: 0).count == 12)
    }

    /// Layers that do not move are parts of the drawing, even if only some objects are chosen.
    @Test func allLayersAreParts() throws {
        let json = lottie(
            disc(Self.fall, ["nm": "ball"]), disc([50, 50], ["nm": "hub"]), disc([80, 50], ["nm": "hub"]),
            disc([20, 50], ["nm": "ball"]), disc([20, 50], ["nm": "hidden", "hd": true]))
        let loader = try LottieFixture(json).loader
        let parts = loader.parts(at: 0)
        #expect(parts.map(\.name) == ["ball", "hub", "hub (2)", "ball, layer 4"])
        #expect(parts.flatMap(\.nodes).count == loader.nodes(at: 0).count)
        #expect(parts.allSatisfy { part in part.nodes.allSatisfy(loader.nodes(at: 0).contains) })
        #expect(loader.objects(at: 0).map(\.name) == ["ball"])
    }

    @Test func objectsAreChosenAndRenamed() throws {
        let json = lottie(disc(Self.fall, ["nm": "a, b"]), disc(Self.fall, ["nm": "c"]))
        let loader = try LottieFixture(json).loader
        let choices = try #require(ObjectChoice.list(from: "c=Ball,a b"))
        let chosen = try loader.showing(choices).objects(at: 0)
        #expect(chosen.map(\.name) == ["c", "a, b"])
        #expect(chosen.map { $0.title.text(in: .en) } == ["Ball", "a, b"])
        #expect(try loader.showing([ObjectChoice("c", title: "Ball")]).phases[0].name.english == "Ball drops")
        let error = #expect(throws: ParameterError.self) { try loader.showing([ObjectChoice("d")]) }
        #expect(error?.description.contains("no object 'd'") == true)
    }

    @Test(arguments: ["", "a,", "=b", "a=", "a,a", "a=b\nc"]) func badListsOfObjectsAreRefused(_ text: String) {
        #expect(ObjectChoice.list(from: text) == nil)
    }

    @Test func theColourIsTheDominantDrawnOne() throws {
        let orange = Color(255, 128, 0)
        let items: [JSON] = [
            ellipse([0, 0], [10, 10]), fill([0, 0, 1, 1]), ellipse([0, 0], [40, 40]), fill([1, 0.502, 0, 1]),
        ]
        let json = lottie(layer(4, ["p": Self.fall], ["shapes": .array(items), "nm": "ball"]))
        let color = try LottieFixture(json).loader.objects(at: 0)[0].color
        #expect(color.distance(to: orange) < 2)
    }
}

/// The phases that are inferred from motion.
@Suite struct PhaseNameTests {
    private func phases(_ json: JSON) throws -> [String] {
        try LottieFixture(json).loader.phases.map { phase in
            "\(phase.name.english) \(NumberText.decimal(phase.duration.double, places: 3))"
        }
    }

    @Test func phasesAreNamedByObjectAndDirection() throws {
        let path = keys(
            key(0, [50, 20]), key(10, [50, 80]), key(20, [80, 80]), key(30, [80, 20]), key(40, [50, 20]))
        #expect(
            try phases(lottie(disc(path, ["nm": "cube"]), to: 40)) == [
                "cube drops 1", "cube moves right 1", "cube rises 1", "cube moves left 1",
            ])
    }

    @Test func numberedObjectsAreNamedTogether() throws {
        let discs = (1...3).map { number in
            let x = Double(20 * number)
            return disc(keys(key(0, list([x, 50])), key(10, list([x, 80]))), ["nm": .string("dot \(number)")])
        }
        #expect(try phases(lottie(discs[0], discs[1], discs[2])) == ["dots 1-3 drop 1"])
    }

    @Test func chineseNamesSayTheSame() throws {
        let json = lottie(disc(keys(key(0, [50, 20]), key(10, [50, 80])), ["nm": "球"]))
        #expect(try LottieFixture(json).loader.phases[0].name.text(in: .zh) == "球落下")
    }

    /// At 10 frames per second, frame 11 is a tenth of a second after frame 10, and frame 25.5 half
    /// of that before frame 26.
    @Test func phasesUnderATenthOfASecondAreMerged() throws {
        let path = keys(key(0, [20, 20]), key(10, [20, 80]), key(10.5, [30, 80]), key(30, [80, 80]))
        let first = disc(path, ["nm": "a"])
        let second = disc(keys(key(0, [80, 20]), key(10, [80, 80])), ["nm": "b"])
        let durations = try LottieFixture(lottie(first, second, to: 30)).loader.phases.map(\.duration)
        #expect(durations.allSatisfy { $0 >= Rational(1, 10) } && durations.reduce(.zero, +) == 3)
    }

    @Test func namesDoNotRepeatAndNothingRestsWhileItMoves() throws {
        let turning = shapes(
            rectangle([20, 0], [10, 4]), fill(red), at: ["p": [50, 50], "r": keys(key(0, 0), key(60, 360))],
            ["nm": "hand"])
        let jumps = disc(
            keys(key(0, [20, 20]), key(10, [20, 80]), key(20, [20, 80]), key(30, [20, 20]), key(40, [20, 80])),
            ["nm": "ball"])
        let names = try LottieFixture(lottie(turning, jumps, to: 60)).loader.phases.map(\.name.english)
        #expect(Set(names).count == names.count)
        #expect(!names.contains { $0.contains("rest") })
    }

    @Test func aBouncePlaysInOnePhaseIfThereAreMany() throws {
        let bounces = keys((0...12).map { key(Double(10 * $0), [50, $0 % 2 == 0 ? 20 : 80]) })
        #expect(try phases(lottie(disc(bounces, ["nm": "ball"]), to: 120)) == ["ball bounces 12"])
    }

    @Test func anObjectThatComesBackShowsItsTurningPoint() throws {
        let bounces = keys((0...12).map { key(Double(10 * $0), [50, $0 % 2 == 0 ? 20 : 80]) })
        let table = PhaseTable(try LottieFixture(lottie(disc(bounces), to: 120)).loader)
        #expect(table.displacement(ofObject: 0, inPhase: 0, isASCII: true) == "y 20 <-> 80")
    }
}
