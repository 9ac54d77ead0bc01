import Testing

// Bombs made of values and of whole files.
extension LottieBomb {
    static let values = [
        text("two hundred thousand keyframes") {
            LottieSeeds.file(#"{\#(solid),"ks":{"r":{"k":["# + list(200_000) { #"{"t":\#($0),"s":1}"# } + "]}}}")
        },
        text("keyframes with spatial tangents") {
            let keys = list(60_000) { #"{"t":\#($0),"s":[\#($0 % 9),0],"to":[1,1],"ti":[1,0]}"# }
            return LottieSeeds.file(#"{\#(solid),"ks":{"p":{"k":["# + keys + "]}}}")
        },
        text("keyframes of a path with many vertices") {
            let path = #"{"v":[\#(list(300) { "[\($0),\($0 * $0 % 90)]" })]}"#
            return LottieSeeds.file(
                LottieSeeds.shapes(
                    #"{"ty":"sh","ks":{"k":["# + list(1000) { #"{"t":\#($0),"s":[\#(path)]}"# } + "]}},"
                        + LottieSeeds.red))
        },
        text("loops of two keyframes at almost the same time") {
            LottieSeeds.file(
                #"{\#(solid),"ks":{"r":{"k":[{"t":0,"s":[0]},{"t":1e-300,"s":[1e7]}],"x":"loopOut('pingpong')"},"p":{"k":[{"t":0,"s":[0,0]},{"t":1e-300,"s":[1e7,0]}],"x":"loopOut('offset')"}}}"#
            )
        },
        text("expressions of many tokens") {
            let terms = String(repeating: "+value*time", count: 900)
            return LottieSeeds.file(
                list(1000) { _ in
                    #"{\#(solid),"ks":{"r":{"k":0,"x":"value\#(terms)"},"o":{"k":90,"x":"value\#(terms)"}}}"#
                })
        },
        text("expressions with long arrays") {
            let list = "[" + String(repeating: "time,", count: 700) + "1]"
            return LottieSeeds.file(
                #"{\#(solid),"ks":{"p":{"k":[0,0],"x":"var a=\#(list);a\#(String(repeating: "+a", count: 250))"}}}"#)
        },
        text("expressions with empty arrays", isDrawn: true) {
            let path = #"{"k":{"v":[[0,0],[9,0],[0,9]]},"x":"value*time"}"#
            return LottieSeeds.file(
                LottieSeeds.shapes(#"{"ty":"sh","ks":\#(path)},"# + LottieSeeds.red)
                    + #",{\#(solid),"ks":{"r":{"k":0,"x":"[]*2"},"o":{"k":50,"x":"[][0]+[]%[]"}}}"#)
        },
        text("deeply nested expressions") {
            LottieSeeds.file(#"{\#(solid),"ks":{"r":{"k":0,"x":"\#(String(repeating: "(", count: 100_000))"}}}"#)
        },
        text("expressions of minus signs") {
            LottieSeeds.file(#"{\#(solid),"ks":{"r":{"k":0,"x":"\#(String(repeating: "-", count: 3_000_000))1"}}}"#)
        },
        text("numbers beyond the range of integers") {
            let huge = #"{"k":5,"x":"Math.pow(10,300)*(1+time)"}"#
            let items =
                #"{"ty":"sr","sy":1,"p":{"k":[50,50]},"pt":\#(huge),"r":{"k":0},"or":{"k":50},"ir":{"k":1}},{"ty":"zz","s":{"k":3},"r":\#(huge),"pt":{"k":1}},{"ty":"tm","s":\#(huge),"e":\#(huge),"o":\#(huge)},\#(LottieSeeds.red)"#
            let effects =
                #","ef":[{"ty":29,"ef":[{"v":\#(huge)},{"v":\#(huge)}]},{"ty":25,"ef":[{"v":{"k":[0,0,0]}},{"v":\#(huge)},{"v":\#(huge)},{"v":\#(huge)},{"v":\#(huge)},{"v":\#(huge)}]}]"#
            return LottieSeeds.file(LottieSeeds.shapes(items, effects))
        },
        text("glyphs of nested repeaters", isDrawn: true) { LottieSeeds.file("{\(solid),\"ks\":{}}", glyphBomb) },
        text("a text with glyphs of nested repeaters", isDrawn: false) {
            LottieSeeds.file(
                #"{"ty":5,"ip":0,"op":60,"ks":{},"t":{"d":{"k":[{"t":0,"s":{"t":"a","f":"F","s":9,"fc":[1,0,0]}}]}}}"#,
                glyphBomb)
        },
        text("long texts and many effects", isDrawn: true) {
            let effects = list(20) { _ in #"{"ty":5,"mn":"Q","nm":"z1","ef":[{},{}]}"# }
            let layers = list(500) { _ in #"{"ty":3,"ip":0,"op":60,"ks":{},"ef":[\#(effects)]}"# }
            return LottieSeeds.file(layers, #","x":"\#(String(repeating: "é", count: 4_000_000))""#)
        },
        text("names with control characters and direction marks", isDrawn: true) {
            let name = #"\u001b[2J\u0007\u202e\u0085\u2028\u2066x"# + String(repeating: "y", count: 100_000)
            return LottieSeeds.file(
                LottieSeeds.shapes(
                    dot + #",{"ty":"\#(name)","nm":"\#(name)"},"# + LottieSeeds.red,
                    #","nm":"\#(name)","ef":[{"ty":99,"nm":"\#(name)"}]"#),
                #","nm":"\#(name)","markers":[{"tm":0,"cm":"\#(name)","dr":9}]"#)
        },
        text("too many markers") {
            let name = String(repeating: "marker ", count: 20)
            return LottieSeeds.file(
                LottieSeeds.shapes(dot),
                #","markers":["# + list(60_000) { #"{"tm":\#(Double($0) / 1000),"cm":"\#(name)","dr":0}"# } + "]")
        },
        text("a deeply nested marker") {
            LottieSeeds.file(
                LottieSeeds.shapes(dot),
                #","markers":[{"tm":0,"cm":"\#(String(repeating: "{\\\"name\\\":", count: 500_000))"}]"#)
        },
    ]

    /// A glyph with a billion copies of a shape.
    private static let glyphBomb: String = {
        let shapes = (0..<3).reduce(dot) { inner, _ in #"{"ty":"gr","it":[\#(inner)]},"# + repeater(1000) }
        return
            #","fonts":{"list":[{"fName":"F","fFamily":"F","fStyle":""}]},"chars":[{"ch":"a","fFamily":"F","style":"","w":9,"data":{"shapes":[\#(shapes)]}}]"#
    }()

    /// A PNG image whose header states 16000 x 16000 pixels.
    static let hugeImage =
        "iVBORw0KGgoAAAANSUhEUgAAPoAAAD6ACAYAAABBft/eAAAAEUlEQVR42mNgGAWjYBQMdwAAA+gAAc5JTFgAAAAASUVORK5CYII="

    static let files = [
        text("sixteen megabytes of brackets", isDrawn: false) { String(repeating: "[", count: 16 << 20) },
        text("a megabyte of brackets", isDrawn: false) { String(repeating: "[", count: 1 << 20) },
        text("sixteen megabytes of numbers", isDrawn: false) { "[" + String(repeating: "1,", count: 8_000_000) + "1]" },
        text("the maximum number of numbers", isDrawn: false) { "[" + list(499_000) { _ in "1234567.25" } + "]" },
        text("the maximum number of objects", isDrawn: false) { "[" + list(249_000) { _ in #"{"a":1}"# } + "]" },
        text("the maximum number of members", isDrawn: false) { "{" + list(490_000) { #""\#($0)":1"# } + "}" },
        text("sixteen megabytes of one string", isDrawn: false) {
            #"{"layers":""# + String(repeating: "é", count: 8_000_000) + #""}"#
        },
        text("a number of a megabyte", isDrawn: false) {
            #"{"layers":[],"fr":"# + String(repeating: "9", count: 1 << 20) + "}"
        },
        text("a repeated key", isDrawn: false) { "{" + list(300_000) { _ in #""layers":[]"# } + "}" },
        text("a huge image", isDrawn: false) {
            LottieSeeds.file(
                #"{"ty":2,"refId":"i","ip":0,"op":60,"ks":{}}"#,
                #","assets":[{"id":"i","w":9,"h":9,"e":1,"p":"data:image/png;base64,\#(hugeImage)"}]"#)
        },
        text("a large image a thousand times") {
            let data = String(repeating: "A", count: 8_000_000)
            return LottieSeeds.file(
                list(1000) { _ in #"{"ty":2,"refId":"i","ip":0,"op":60,"ks":{}}"# },
                #","assets":[{"id":"i","w":9,"h":9,"e":1,"p":"data:image/png;base64,\#(data)"}]"#)
        },
        text("a large broken image in two thousand layers that no frame shows", isDrawn: true) {
            let data = String(repeating: "A", count: 8_000_000)
            return LottieSeeds.file(
                list(2000) { _ in #"{"ty":2,"refId":"i","ip":0,"op":0,"ks":{}}"# },
                #","assets":[{"id":"i","w":9,"h":9,"e":1,"p":"data:image/png;base64,\#(data)"}]"#)
        },
        text("twenty thousand layers without their compositions") {
            let layers = list(2000) { _ in #"{"ty":0,"refId":"x","op":60}"# }
            return LottieSeeds.file(
                list(10) { instance($0) },
                #","assets":["# + (0..<10).map { composition($0, layers) }.joined(separator: ",") + "]")
        },
        LottieBomb("an archive of zeros", isDrawn: false, isArchive: true) {
            let zeros = [UInt8](repeating: 0, count: 40 << 20)
            return try LottieArchive.bytes(
                [("manifest.json", zeros), ("animations/a.json", zeros)], in: try .init())
        },
        LottieBomb("an archive of many files", isDrawn: false, isArchive: true) {
            try LottieArchive.bytes((0..<5000).map { ("f\($0)", [0]) }, in: try .init())
        },
        LottieBomb("an archive with paths outside of it", isDrawn: false, isArchive: true) {
            let file = Array(
                LottieSeeds.file(
                    #"{"ty":2,"refId":"i","ip":0,"op":60,"ks":{}}"#,
                    #","assets":[{"id":"i","u":"../","p":"etc/passwd"}]"#
                ).utf8)
            let manifest = Array(#"{"animations":[{"id":"../x\u001b\u202e"}]}"#.utf8)
            return try LottieArchive.bytes(
                [("manifest.json", manifest), ("animations/../x\u{1B}\u{202E}.json", file), ("../etc/passwd", [1])],
                in: try .init())
        },
    ]
}
