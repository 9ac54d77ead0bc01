import Testing

/// A file that was made to take a lot of time or memory.
struct LottieBomb: CustomTestStringConvertible, Sendable {
    let name: String
    var isArchive = false
    /// True if the file must be drawn, false if it must be refused; nil if both are allowed.
    var isDrawn: Bool?
    let bytes: @Sendable () throws -> [UInt8]

    var testDescription: String { name }

    init(
        _ name: String, isDrawn: Bool? = nil, isArchive: Bool = false, bytes: @escaping @Sendable () throws -> [UInt8]
    ) {
        self.name = name
        self.isDrawn = isDrawn
        self.isArchive = isArchive
        self.bytes = bytes
    }

    static func text(
        _ name: String, isDrawn: Bool? = nil, _ text: @escaping @Sendable () -> String
    ) -> LottieBomb {
        LottieBomb(name, isDrawn: isDrawn) { Array(text().utf8) }
    }

    /// Returns a file with a shape layer of items.
    static func items(
        _ name: String, isDrawn: Bool? = nil, _ items: @escaping @Sendable () -> String
    ) -> LottieBomb {
        text(name, isDrawn: isDrawn) { LottieSeeds.file(LottieSeeds.shapes(items())) }
    }

    static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ",")
    }

    static let all = compositions + repeaters + paths + operations + layers + effects + values + files

    static let dot = #"{"ty":"el","p":{"k":[50,50]},"s":{"k":[40,40]}}"#

    static func repeater(_ copies: Int) -> String {
        #"{"ty":"rp","c":{"k":\#(copies)},"o":{"k":0},"m":1,"tr":{"p":{"k":[0.1,0]},"s":{"k":[100,100]},"r":{"k":1}}}"#
    }

    /// Returns a path through points scattered over the canvas.
    static func tangle(_ count: Int, _ reach: Int = 100) -> String {
        let points = list(count) { "[\($0 * 7919 % reach),\($0 * 104_729 % reach)]" }
        return #"{"ty":"sh","ks":{"k":{"v":[\#(points)],"c":true}}}"#
    }

    static func composition(_ id: Int, _ layers: String) -> String {
        #"{"id":"c\#(id)","layers":[\#(layers)]}"#
    }

    static func instance(_ id: Int, _ more: String = "") -> String {
        #"{"ty":0,"refId":"c\#(id)","w":100,"h":100,"ip":0,"op":60,"ks":{}\#(more)}"#
    }

    static let compositions = [
        text("compositions nested twice at each level", isDrawn: false) {
            let inner = (0..<15).map { composition($0, instance($0 + 1) + "," + instance($0 + 1)) }
            let last = composition(15, LottieSeeds.shapes(dot + "," + LottieSeeds.red + "," + tangle(10)))
            return LottieSeeds.file(instance(0), #","assets":["# + (inner + [last]).joined(separator: ",") + "]")
        },
        text("empty compositions nested twice at each level") {
            let inner = (0..<15).map { composition($0, instance($0 + 1) + "," + instance($0 + 1)) }
            let assets = (inner + [composition(15, "")]).joined(separator: ",")
            return LottieSeeds.file(instance(0), #","assets":["# + assets + "]")
        },
        text("a composition with 20,000 keyframes 2,000 times") {
            let keys = list(20_000) { #"{"t":\#(Double($0) / 400),"s":[\#($0 % 2)]}"# }
            let layer = #"{"ty":3,"ip":0,"op":60,"ks":{"r":{"k":[\#(keys)],"x":"loopOut()"}}}"#
            return LottieSeeds.file(list(2000) { _ in instance(0) }, #","assets":["# + composition(0, layer) + "]")
        },
        text("a cycle of compositions", isDrawn: false) {
            let assets = composition(0, instance(1)) + "," + composition(1, instance(0))
            return LottieSeeds.file(instance(0), #","assets":["# + assets + "]")
        },
    ]

    static let repeaters = [
        items("a repeater of a repeater of a repeater", isDrawn: false) {
            dot + "," + LottieSeeds.red + "," + list(3) { _ in repeater(1000) }
        },
        items("nested repeaters of ten copies") { dot + "," + LottieSeeds.red + "," + list(20) { _ in repeater(10) } },
        items("repeaters without contents") { list(20) { _ in repeater(1000) } },
        items("a thousand translucent copies of a long stroke") {
            #"{"ty":"gr","it":[\#(tangle(90)),\#(LottieSeeds.stroke),\#(LottieSeeds.red),{"ty":"tr","o":{"k":50}}]},"#
                + repeater(1000)
        },
        text("a repeater in a composition in a composition", isDrawn: false) {
            let layer = LottieSeeds.shapes(dot + "," + LottieSeeds.red + "," + repeater(1000))
            let assets = composition(0, list(100) { _ in instance(1) }) + "," + composition(1, layer)
            return LottieSeeds.file(instance(0), #","assets":["# + assets + "]")
        },
        items("copies whose number overshoots", isDrawn: false) {
            let copies = #"{"k":[{"t":0,"s":[0],"o":{"x":[0],"y":[1e7]},"i":{"x":[1],"y":[1]}},{"t":60,"s":[0.001]}]}"#
            return dot + "," + LottieSeeds.red + ","
                + list(2) { _ in repeater(1000).replacing(#""c":{"k":1000}"#, with: #""c":\#(copies)"#) }
        },
        items("an infinite number of copies by an expression") {
            dot + "," + LottieSeeds.red
                + #",{"ty":"rp","c":{"k":3,"x":"Math.exp(1+time*1e9)*1e300"},"o":{"k":0,"x":"1e300"},"m":1,"tr":{"p":{"k":[1,0],"x":"[time*1e300,1e200*1e200]"},"s":{"k":[-100,-100]}}}"#
        },
    ]

    static let paths = [
        items("a path of a hundred thousand vertices") { tangle(100_000) + "," + LottieSeeds.red },
        items("a path of ten thousand scattered vertices, filled and stroked") {
            tangle(10_000) + "," + LottieSeeds.red + "," + LottieSeeds.stroke
        },
        items("a path of six hundred vertices, filled and stroked", isDrawn: true) {
            tangle(600) + "," + LottieSeeds.red + "," + LottieSeeds.stroke
        },
        items("curves ten million points long") {
            let ends = list(5000) { "[\($0 % 100),\($0 % 97)]" }
            let far = list(5000) { $0 % 2 == 0 ? "[9e6,9e6]" : "[-9e6,9e6]" }
            return #"{"ty":"sh","ks":{"k":{"v":[\#(ends)],"i":[\#(far)],"o":[\#(far)],"c":true}}},"# + LottieSeeds.red
                + ","
                + LottieSeeds.stroke
        },
        items("tiny dashes on a long line") {
            #"{"ty":"sh","ks":{"k":{"v":[[0,0],[1e6,10],[0,20],[1e6,30]]}}},{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":1},"d":[{"n":"d","v":{"k":0.001}},{"n":"g","v":{"k":0.001}},{"n":"o","v":{"k":9e6}}]}"#
        },
        items("dashes of a tenth of a point around a hundred discs") {
            list(100) { #"{"ty":"el","p":{"k":[50,50]},"s":{"k":[\#($0),\#($0)]}}"# }
                + #",{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":1},"lc":2,"d":[{"n":"d","v":{"k":0.1}},{"n":"g","v":{"k":0.1}}]}"#
        },
        items("dashes of almost no length") {
            dot
                + #",{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":1},"d":[{"n":"d","v":{"k":1e-300}},{"n":"g","v":{"k":0}}]}"#
        },
        items("stars of a thousand points") {
            list(500) {
                #"{"ty":"sr","sy":1,"p":{"k":[50,50]},"pt":{"k":1000},"r":{"k":\#($0)},"or":{"k":50},"ir":{"k":1}}"#
            }
                + "," + LottieSeeds.red + "," + LottieSeeds.stroke
        },
        items("five hundred ridges on five hundred ridges") {
            tangle(20)
                + #",{"ty":"zz","s":{"k":30},"r":{"k":500},"pt":{"k":2}},{"ty":"zz","s":{"k":30},"r":{"k":500},"pt":{"k":1}},"#
                + LottieSeeds.stroke
        },
        items("five hundred ridges on a hundred vertices") {
            tangle(100) + #",{"ty":"zz","s":{"k":30},"r":{"k":500},"pt":{"k":2}},"# + LottieSeeds.stroke
        },
        items("corners rounded and twisted thirty times") {
            tangle(50) + "," + list(30) { _ in #"{"ty":"rd","r":{"k":0.1}},{"ty":"tw","a":{"k":3},"c":{"k":[0,0]}}"# }
                + ","
                + LottieSeeds.red
        },
        items("wide miters") {
            tangle(2000) + #",{"ty":"st","c":{"k":[1,0,0]},"o":{"k":100},"w":{"k":1e7},"lc":3,"lj":1,"ml":1e7}"#
        },
        items("gradients of two thousand stops") {
            let stops =
                list(500) { "\(Double($0) / 500),\($0 % 2),0,1" } + ","
                + list(1000) { "\(Double($0) / 1000),\($0 % 2)" }
            return dot + ","
                + list(300) { _ in
                    #"{"ty":"gf","t":1,"s":{"k":[0,0]},"e":{"k":[100,0]},"g":{"p":500,"k":{"k":[\#(stops)]}},"o":{"k":100}}"#
                }
        },
    ]

    static let operations = [
        items("merged tangles") { tangle(600) + "," + tangle(500, 99) + #",{"ty":"mm","mm":4},"# + LottieSeeds.red },
        items("a hundred discs merged a hundred times") {
            list(100) { i in
                #"{"ty":"gr","it":["#
                    + list(20) { #"{"ty":"el","p":{"k":[\#(20 + $0),\#(50 + i % 7)]},"s":{"k":[40,40]}}"# }
                    + #",{"ty":"mm","mm":5},\#(LottieSeeds.red),{"ty":"tr"}]}"#
            }
        },
        items("twenty offsets") {
            tangle(100) + "," + list(20) { _ in #"{"ty":"op","a":{"k":3},"lj":2,"ml":{"k":4}}"# } + ","
                + LottieSeeds.red
        },
        items("offset ridges, repeated") {
            dot + #",{"ty":"zz","s":{"k":3},"r":{"k":100},"pt":{"k":2}},{"ty":"op","a":{"k":5},"lj":2,"ml":{"k":4}},"#
                + LottieSeeds.red
                + "," + repeater(50)
        },
        items("an offset by a million points") {
            tangle(30) + #",{"ty":"op","a":{"k":1e6},"lj":2,"ml":{"k":4}},"# + LottieSeeds.red
        },
        items("three discs merged", isDrawn: true) {
            list(3) { #"{"ty":"el","p":{"k":[\#(30 + 10 * $0),50]},"s":{"k":[40,40]}}"# } + #",{"ty":"mm","mm":2},"#
                + LottieSeeds.red
        },
        text("masks with expansion") {
            let path = #"{"v":[\#(list(200) { "[\($0 * 7919 % 100),\($0 * 104_729 % 100)]" })],"c":true}"#
            let masks = list(20) { _ in #"{"mode":"i","pt":{"k":\#(path)},"o":{"k":100},"x":{"k":5}}"# }
            return LottieSeeds.file(
                LottieSeeds.shapes(dot + "," + LottieSeeds.red, #","masksProperties":["# + masks + "]"))
        },
    ]

    static let solid = #""ty":1,"sw":100,"sh":100,"sc":"red","ip":0,"op":60"#

    static func blurred(_ amount: String, _ count: Int = 1) -> String {
        #","ef":["# + list(count) { _ in #"{"ty":29,"ef":[{"v":{"k":\#(amount)}},{"v":{"k":1}},{"v":{"k":0}}]}"# } + "]"
    }

    static let layers = [
        text("two thousand layers with a blend mode") {
            LottieSeeds.file(
                list(2000) { _ in
                    LottieSeeds.shapes(dot + "," + LottieSeeds.red + "," + LottieSeeds.stroke, #","bm":3"#)
                })
        },
        text("mattes of mattes") {
            LottieSeeds.file(
                list(1999) { #"{\#(solid),"ind":\#($0),"ks":{},"tt":1,"tp":\#($0 + 1)}"# }
                    + #",{\#(solid),"ind":1999,"ks":{}}"#)
        },
        text("mattes shared by many layers") {
            let sources = list(1000) { #"{\#(solid),"ind":\#($0),"ks":{},"tt":1,"tp":\#($0 + 1)}"# }
            return LottieSeeds.file(
                sources + #",{\#(solid),"ind":1000,"ks":{}},"#
                    + list(900) { #"{\#(solid),"ind":\#(1001 + $0),"ks":{},"tt":3,"tp":0}"# })
        },
        text("a chain of two thousand parents") {
            let key = #""ks":{"r":{"k":[{"t":0,"s":[0]},{"t":60,"s":[9]}]}}"#
            return LottieSeeds.file(
                list(2000) { #"{\#(solid),"ind":\#($0),\#(key)\#($0 > 0 ? ",\"parent\":\($0 - 1)" : "")}"# })
        },
        text("a cycle of parents", isDrawn: false) {
            LottieSeeds.file(list(100) { #"{\#(solid),"ind":\#($0),"parent":\#(($0 + 1) % 100),"ks":{}}"# })
        },
        text("a thousand masks") {
            let mask = #"{"mode":"s","pt":{"k":{"v":[[0,0],[90,0],[50,90]],"c":true}},"o":{"k":50},"inv":true}"#
            return LottieSeeds.file(#"{\#(solid),"ks":{},"masksProperties":["# + list(1000) { _ in mask } + "]}")
        },
        text("a huge blur") { LottieSeeds.file(#"{\#(solid),"ks":{}\#(blurred("1e7"))}"#) },
        text("a huge blurred layer") {
            LottieSeeds.file(
                #"{"ty":1,"sw":1e7,"sh":1e7,"sc":"red","ip":0,"op":60,"ks":{"p":{"k":[-5e6,-5e6]}}\#(blurred("1e6"))}"#)
        },
        text("a wide blur", isDrawn: true) { LottieSeeds.file(#"{\#(solid),"ks":{}\#(blurred("300"))}"#) },
        text("a hundred blurs on one layer") { LottieSeeds.file(#"{\#(solid),"ks":{}\#(blurred("50", 100))}"#) },
        text("a hundred blurred layers") {
            LottieSeeds.file(list(100) { _ in #"{\#(solid),"ks":{}\#(blurred("50"))}"# })
        },
        text("a distant shadow of a huge layer") {
            LottieSeeds.file(
                #"{\#(solid),"ks":{"s":{"k":[1e6,1e6]}},"ef":[{"ty":25,"ef":[{"v":{"k":[0,0,0]}},{"v":{"k":255}},{"v":{"k":45}},{"v":{"k":1e7}},{"v":{"k":1e7}},{"v":{"k":0}}]}]}"#
            )
        },
        text("nested scales that overflow") {
            let scale = #"{"ty":"tr","s":{"k":[1e7,1e7]},"r":{"k":[{"t":0,"s":[1]},{"t":60,"s":[5]}]}}"#
            let inner = (0..<15).reduce(dot + "," + LottieSeeds.red + "," + LottieSeeds.stroke) { inner, _ in
                #"{"ty":"gr","it":[\#(inner),\#(scale)]}"#
            }
            return LottieSeeds.file(LottieSeeds.shapes(inner))
        },
        text("text with many animators") {
            let animator =
                #"{"s":{"s":{"k":0},"e":{"k":100},"xe":{"k":30},"ne":{"k":30}},"a":{"r":{"k":40},"o":{"k":50}}}"#
            let letters = String(repeating: "ab ", count: 600)
            return LottieSeeds.file(
                #"{"ty":5,"ip":0,"op":60,"ks":{},"t":{"d":{"k":[{"t":0,"s":{"t":"\#(letters)","f":"F","s":9,"fc":[1,0,0]}}]},"a":["#
                    + list(2000) { _ in animator } + "]}}")
        },
        text("a thousand texts of different ideographs") {
            let texts = list(1000) { number in
                let letters = String(
                    String.UnicodeScalarView(
                        (0..<100).compactMap { Unicode.Scalar(0x4E00 + number * 97 % 20_000 + $0) }))
                return #"{"t":\#(number),"s":{"t":"\#(letters)","f":"F","s":9,"fc":[1,0,0]}}"#
            }
            return LottieSeeds.file(#"{"ty":5,"ip":0,"op":60,"ks":{},"t":{"d":{"k":["# + texts + "]}}}")
        },
    ]
}
