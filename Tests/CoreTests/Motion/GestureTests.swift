import Core
import TestSupport
import Testing

@Suite struct GestureTests {
    private let defaultText = "0:0,0.36:0,1.44:60:easeInEaseOut,1.8:60,2.34:0:easeOut,2.88:0"

    @Test func parsesPairsWithTimings() throws {
        let gesture = try Gesture(text: defaultText)
        #expect(
            gesture.keyframes.map(\.time) == [
                0, Rational(9, 25), Rational(36, 25), Rational(9, 5), Rational(117, 50), Rational(72, 25),
            ])
        #expect(gesture.keyframes.map(\.distance) == [0, 0, 60, 60, 0, 0])
        #expect(gesture.keyframes.map(\.timing) == [.linear, .linear, .easeInEaseOut, .linear, .easeOut, .linear])
        #expect(gesture.duration == Rational(72, 25) && gesture.maxDistance == 60)
        #expect(gesture.description == defaultText)
    }

    @Test func distancesFollowTheKeyframes() throws {
        let gesture = try Gesture(text: defaultText)
        let expected: [(Rational, Double)] = [
            (0, 0), (Rational(1, 5), 0), (Rational(9, 25), 0), (Rational(9, 10), 30), (Rational(36, 25), 60),
            (Rational(8, 5), 60), (Rational(9, 5), 60), (Rational(117, 50), 0), (Rational(72, 25), 0), (100, 0),
        ]
        for (time, distance) in expected { #expect(abs(gesture.distance(at: time) - distance) < 1e-12) }
        let halfBack = gesture.distance(at: Rational(207, 100))
        #expect(abs(halfBack - 60 * (1 - TimingFunction.easeOut(0.5))) < 1e-12)
        #expect(gesture.distance(at: -1) == 0)
    }

    @Test func distancesAreConstantOutsideTheGesture() throws {
        let gesture = try Gesture(text: "0:5,1:20,2:5")
        #expect(gesture.distance(at: -3) == 5 && gesture.distance(at: 2) == 5 && gesture.distance(at: 9) == 5)
        #expect(gesture.distance(at: Rational(1, 2)) == 12.5)
    }

    @Test func textRoundTrips() throws {
        var generator = SeededGenerator(seed: 30)
        let names = TimingFunction.named.map(\.name)
        func number(_ generator: inout SeededGenerator) -> String {
            switch generator.int(0...3) {
            case 0: "\(generator.int(0...66))"
            case 1: "\(generator.int(0...200))/\(generator.int(1...97))"
            case 2: "0.\(String(repeating: "0", count: generator.int(0...5)))\(generator.int(1...9))"
            default: "\(generator.int(0...65)).\(generator.int(0...999_999))"
            }
        }
        for _ in 0..<300 {
            var time = Rational.zero
            var pairs = ["0:\(number(&generator)):\(names[generator.int(0...4)])"]
            for _ in 0..<generator.int(1...5) {
                time =
                    time
                    + Rational(Int128(generator.int(1...500)), Int128([1, 2, 3, 5, 6, 8, 10][generator.int(0...6)]))
                if time.numerator > 900_000_000 { time = Rational(time.floor + 1) }
                pairs.append("\(time):\(number(&generator)):\(names[generator.int(0...4)])")
            }
            let first = pairs[0].split(separator: ":")[1]
            pairs.append("\(time + 1):\(first)")
            let gesture = try Gesture(text: pairs.joined(separator: ","))
            #expect(try Gesture(text: gesture.description) == gesture, "from \(pairs) through \(gesture)")
        }
    }

    @Test func everyDistanceHasADescription() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<2000 {
            let distance = generator.double(0...1) * [1e-9, 1e-3, 1, 66, 1e6, 1e12][generator.int(0...5)]
            let gesture = try Gesture([.init(0, distance), .init(1, distance)])
            #expect(gesture.description.hasPrefix("0:"))
        }
        for distance in [-1.5, .nan, .infinity] {
            #expect(throws: Gesture.Problem.self) { try Gesture([.init(0, distance), .init(1, distance)]) }
        }
    }

    @Test(arguments: [
        ("", "has ''"), ("0:0", "needs at least two"), ("0:0,1", "has '1' where"),
        ("0:0,1:2:3:4", "has '1:2:3:4' where"),
        ("0:0,,1:0", "has ''"), ("0:0,x:0", "has 'x:0' where"), ("0:0,1:y", "has '1:y' where"),
        ("0:0,-1:0", "has '-1:0' where"), ("0:0,1:-5,2:0", "has '1:-5' where"), ("0:0,1:nan,2:0", "has '1:nan' where"),
        ("0.1:0,1:0", "the first at time 0"), ("0:0,1:5,1:5,2:0", "has 1 s after 1 s"),
        ("0:0,2:5,1:0", "has 1 s after 2 s"), ("0:0,1:5", "must end at the distance where it begins"),
        ("0:0,3600.5:0", "lasts 3600.5 s, above the maximum of 3600 s"),
        ("0:0,1:5:bouncy,2:0", "the unknown timing 'bouncy'"),
        ("0:0,1:5:,2:0", "the unknown timing ''"), ("0:0, 1:0", "has ' 1:0' where"),
        ("0:0,1:5:EaseIn,2:0", "use one of linear, easeIn, easeOut, easeInEaseOut, default"),
    ])
    func rejectsInvalidTexts(text: String, expected: String) {
        #expect {
            _ = try Gesture(text: text)
        } throws: { error in
            let message = (error as? Gesture.Problem)?.message ?? ""
            return message.contains(expected) && !message.contains("\n")
        }
    }

    @Test func rejectsInvalidKeyframes() {
        #expect(throws: Gesture.Problem.self) { try Gesture([]) }
        #expect(throws: Gesture.Problem.self) { try Gesture([.init(0, 1)]) }
        #expect(throws: Gesture.Problem.self) { try Gesture([.init(0, 1), .init(1, 2)]) }
        #expect(throws: Gesture.Problem.self) { try Gesture([.init(0, 1), .init(-1, 1)]) }
        #expect(throws: Never.self) { try Gesture([.init(0, 1), .init(3600, 1)]) }
    }
}
