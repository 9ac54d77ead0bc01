// Files whose effects, layer styles and planes in space take a lot of time or memory.
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
        boards("two hundred turned blurs", 200, effect("ADBE Motion Blur", ["45", "1e7"])),
        boards("a hundred echoes of a hundred layers", 100, effect("ADBE Echo", ["-0.1", "1e7", "1", "1", "4"])),
        text("echoes of echoes in compositions", isDrawn: false) {
            let echo = "," + effect("ADBE Echo", ["-0.1", "50", "1", "1", "1"]).dropFirst(#""ks":{},"#.count)
            let inner = (0..<15).map { composition($0, instance($0 + 1, echo)) }
            let last = composition(15, LottieSeeds.shapes(dot + "," + LottieSeeds.red))
            return LottieSeeds.file(instance(0), #","assets":["# + (inner + [last]).joined(separator: ",") + "]")
        },
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

    /// Two glows, which draw a layer three times.
    private static let doubled =
        ##""sy":[{"ty":3,"s":{"k":3},"bm":{"k":1}},{"ty":3,"s":{"k":3},"bm":{"k":1}}]"##
}
