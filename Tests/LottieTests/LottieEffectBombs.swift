// Files whose effects, layer styles and 3D layers take a lot of time or memory.
extension LottieBomb {
    private static let board = ##""ty":1,"sw":100,"sh":100,"sc":"#f00","ip":0,"op":60"##

    /// Returns a file with copies of a solid layer.
    private static func boards(_ name: String, _ count: Int, _ more: String, isDrawn: Bool? = nil) -> LottieBomb {
        text(name, isDrawn: isDrawn) { LottieSeeds.file(list(count) { _ in "{\(board),\(more)}" }) }
    }

    private static func effect(_ matchName: String, _ values: [String]) -> String {
        let children = values.map { #"{"v":{"k":\#($0)}}"# }.joined(separator: ",")
        return ##""ks":{},"ef":[{"ty":5,"mn":"\##(matchName)","ef":[\##(children)]}]"##
    }

    /// Returns copies of an effect, as members of a layer.
    private static func effects(_ count: Int, _ matchName: String, _ values: [String]) -> String {
        let children = values.map { #"{"v":{"k":\#($0)}}"# }.joined(separator: ",")
        return #""ef":["# + list(count) { _ in #"{"ty":5,"mn":"\#(matchName)","ef":[\#(children)]}"# } + "]"
    }

    /// Returns a file whose compositions are nested, each a layer with more members, around items.
    private static func nested(
        _ name: String, _ levels: Int, _ more: String, items: @escaping @Sendable () -> String
    ) -> LottieBomb {
        text(name, isDrawn: false) {
            let inner = (0..<levels - 1).map { composition($0, instance($0 + 1, "," + more)) }
            let last = composition(levels - 1, LottieSeeds.shapes(items()))
            return LottieSeeds.file(
                instance(0, "," + more), #","assets":["# + (inner + [last]).joined(separator: ",") + "]")
        }
    }

    private static func dots(_ count: Int) -> String {
        list(count) { _ in dot } + "," + LottieSeeds.red
    }

    /// Returns keyframes whose easing overshoots both values by far.
    private static func overshoot(_ from: String, _ to: String, _ y: String) -> String {
        #"[{"t":0,"s":[\#(from)],"o":{"x":[0.3],"y":[\#(y)]},"i":{"x":[0.7],"y":[\#(y)]}},{"t":60,"s":[\#(to)]}]"#
    }

    private static let glow = ##""ks":{},"sy":[{"ty":3,"c":{"k":[1,0,0]},"o":{"k":90},"s":{"k":30},"bm":{"k":1}}]"##

    private static let camera =
        #"{"ty":13,"ip":0,"op":60,"pe":{"k":100},"ks":{"p":{"k":[50,50,-100]},"a":{"k":[50,50,0]}}}"#

    private static func planes(_ name: String, _ count: Int, _ transform: String) -> LottieBomb {
        text(name) {
            let plane = list(count) { _ in #"{\#(board),"ddd":1,"ks":{\#(transform)}}"# }
            return LottieSeeds.file(camera + "," + plane)
        }
    }

    static let effects = [
        boards("a choker of ten million points", 1, effect("ADBE Simple Choker", ["1", "1e7"])),
        boards("an edge grown by the whole canvas", 1, effect("ADBE Simple Choker", ["1", "-100"])),
        boards("a hundred grown edges", 100, effect("ADBE Simple Choker", ["1", "-3"])),
        boards("fifty box blurs", 1, effect("ADBE Box Blur2", ["1e7", "50", "1", "0"])),
        boards(
            "a hundred gradients between four points", 100,
            effect(
                "ADBE 4ColorGradient",
                ["0"] + Array(repeating: "[50,50,0]", count: 8) + ["0", "0", "0", "100", "5"])),
        boards("two hundred bulges", 200, effect("ADBE Bulge", ["50", "50", "[50,50]", "4", "0"])),
        boards("a bulge of ten million points", 1, effect("ADBE Bulge", ["1e7", "1e-7", "[50,50]", "4", "0"])),
        points("two thousand bulges of ten million points", "ADBE Bulge", ["1e7", "1e7", "[0,0]", "4", "0"]),
        points("two thousand wide blurs", "ADBE Gaussian Blur 2", ["1e7", "1", "0"]),
        boards(
            "forty thousand turned blurs on one layer", 1,
            #""ks":{},"# + effects(40_000, "ADBE Motion Blur", ["45", "9"]), isDrawn: false),
        nested("turned blurs in compositions", 16, effects(20, "ADBE Motion Blur", ["45", "9"])) { dots(1) },
        boards("forty cross blurs on one layer", 1, #""ks":{},"# + effects(40, "CS CrossBlur", ["9", "9", "1", "0"])),
        boards("twenty cross blurs on one layer", 1, #""ks":{},"# + effects(20, "CS CrossBlur", ["1", "1", "1", "0"])),
        text("cross blurs in compositions", isDrawn: true) {
            let blur = "," + effects(1, "CS CrossBlur", ["3", "3", "1", "0"])
            let inner = (0..<15).map { composition($0, instance($0 + 1, blur)) }
            let last = composition(15, "{\(board),\(effects(1, "CS CrossBlur", ["3", "3", "1", "0"]))}")
            return LottieSeeds.file(instance(0), #","assets":["# + (inner + [last]).joined(separator: ",") + "]")
        },
        nested("hard mixes in compositions", 15, #""bm":17"#) { dots(50) },
        text("ten strokes along sixteen thousand masks", isDrawn: false) {
            LottieSeeds.file("{\(board),\(strokes(10)),\(curvedMasks(16_000))}")
        },
        text("twenty thousand strokes along a thousand masks", isDrawn: false) {
            LottieSeeds.file("{\(board),\(strokes(20_000)),\(curvedMasks(1000))}")
        },
        boards("two hundred turned blurs", 200, effect("ADBE Motion Blur", ["45", "1e7"])),
        boards("a hundred echoes of a hundred layers", 100, effect("ADBE Echo", ["-0.1", "1e7", "1", "1", "4"])),
        nested("echoes of echoes in compositions", 15, effects(1, "ADBE Echo", ["-0.1", "50", "1", "1", "1"])) {
            dots(1)
        },
        nested(
            "echoes whose number jumps up", 3,
            effects(1, "ADBE Echo", ["-0.1", overshoot("0", "0.001", "1e7"), "1", "1", "1"])
        ) { dots(50) },
        nested(
            "echoes whose number rises from below", 3,
            effects(1, "ADBE Echo", ["-0.1", overshoot("-1000", "0", "1.5"), "1", "1", "1"])
        ) { dots(50) },
        boards("two hundred glows", 200, glow),
        text("glows of glows in compositions", isDrawn: false) {
            let inner = (0..<15).map { composition($0, instance($0 + 1, "," + doubled)) }
            let last = composition(15, LottieSeeds.shapes(dot + "," + LottieSeeds.red))
            return LottieSeeds.file(instance(0), #","assets":["# + (inner + [last]).joined(separator: ",") + "]")
        },
        planes("a plane to the horizon", 1, #""rx":{"k":90},"s":{"k":[1e7,1e7]},"p":{"k":[50,60,0]}"#),
        planes("a thousand planes to the horizon", 1000, #""rx":{"k":89},"s":{"k":[1e6,1e6]},"p":{"k":[50,60,0]}"#),
        planes("planes just in front of the camera", 100, #""ry":{"k":1},"p":{"k":[50,50,-99]}"#),
        planes("planes far behind the screen", 1000, #""ry":{"k":45},"p":{"k":[0,0,1e7]}"#),
    ]

    /// Returns a file with 2,000 solids of one point and an effect.
    private static func points(_ name: String, _ matchName: String, _ values: [String]) -> LottieBomb {
        text(name, isDrawn: false) {
            let effect = effects(1, matchName, values)
            let layer = ##"{"ty":1,"sw":1,"sh":1,"sc":"#f00","ip":0,"op":60,"ks":{},\##(effect)}"##
            return LottieSeeds.file(list(2000) { _ in layer })
        }
    }

    private static func strokes(_ count: Int) -> String {
        #""ks":{},"ef":["# + list(count) { _ in #"{"ty":22,"ef":[{"v":1},{"v":1}]}"# } + "]"
    }

    private static func curvedMasks(_ count: Int) -> String {
        let path = #"{"v":[[0,0],[9,9]],"i":[[9e6,0],[9e6,0]],"o":[[0,9e6],[0,9e6]],"c":true}"#
        return #""masksProperties":["# + list(count) { _ in #"{"mode":"n","pt":{"k":\#(path)}}"# } + "]"
    }

    /// Two glows, which draw a layer three times.
    private static let doubled =
        ##""sy":[{"ty":3,"s":{"k":3},"bm":{"k":1}},{"ty":3,"s":{"k":3},"bm":{"k":1}}]"##
}
