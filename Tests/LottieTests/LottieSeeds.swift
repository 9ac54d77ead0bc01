import Foundation
import TestSupport

@testable import Lottie

/// Valid files that use all supported features, as seeds for mutations.
enum LottieSeeds {
    static let all = [shapes, modifiers, layers, texts, effects, space].map { LottieText($0) }

    /// Returns the files in a directory and its subdirectories, sorted by name. Large files are
    /// skipped, because they would make a run too slow.
    static func read(_ folder: String) throws -> [LottieText] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".json") && !$0.hasSuffix("-meta.json") }.sorted().compactMap { name in
            let bytes = try bytes(of: folder + "/" + name)
            guard bytes.count < 300_000, let json = try? JSON(parsing: bytes) else { return nil }
            return LottieText(json)
        }
    }

    /// Returns a file with layers and optionally other members.
    static func file(_ layers: String, _ more: String = "") -> String {
        #"{"v":"5.9.0","fr":30,"ip":0,"op":60,"w":100,"h":100,"nm":"seed","layers":["# + layers + "]" + more + "}"
    }

    /// Returns a shape layer with items and optionally other members.
    static func shapes(_ items: String, _ more: String = "") -> String {
        #"{"ty":4,"ip":0,"op":60,"ks":{},"shapes":["# + items + "]" + more + "}"
    }

    static let red = #"{"ty":"fl","c":{"k":[1,0,0]},"o":{"k":100}}"#
    static let stroke = #"{"ty":"st","c":{"k":[0,0,1]},"o":{"k":100},"w":{"k":2},"lc":1,"lj":1,"ml":4}"#

    private static let shapes = file(
        shapes(
            #"{"ty":"gr","nm":"g","it":[{"ty":"rc","p":{"k":[{"t":0,"s":[20,20],"to":[10,0],"ti":[0,10],"i":{"x":0.5,"y":1},"o":{"x":0.5,"y":0}},{"t":60,"s":[80,80]}]},"s":{"k":[30,20]},"r":{"k":4}},{"ty":"el","p":{"k":[50,50]},"s":{"a":1,"k":[{"t":0,"s":[10,10],"i":{"x":[0.5,0.3],"y":[1,1]},"o":{"x":[0.5,0.3],"y":[0,0]}},{"t":20,"s":[60,40],"h":1},{"t":40,"s":[20,20]}]}},{"ty":"sr","sy":1,"p":{"k":[50,50]},"pt":{"k":5},"r":{"k":30},"or":{"k":40},"ir":{"k":20},"os":{"k":10},"is":{"k":0}},{"ty":"sh","ks":{"a":1,"k":[{"t":0,"s":[{"v":[[10,10],[90,10],[50,90]],"i":[[0,0],[0,0],[5,5]],"o":[[0,0],[0,0],[5,5]],"c":true}]},{"t":60,"s":[{"v":[[20,10],[80,10],[50,70]],"i":[[0,0],[0,0],[5,5]],"o":[[0,0],[0,0],[5,5]],"c":true}]}]}},"#
                + red + "," + stroke
                + #",{"ty":"gf","t":1,"s":{"k":[0,0]},"e":{"k":[100,100]},"g":{"p":3,"k":{"k":[0,1,0,0,0.5,0.5,0.5,0,1,0,1,0,0,1,1,0.2]}},"o":{"k":50},"bm":3},{"ty":"gs","t":2,"s":{"k":[50,50]},"e":{"k":[90,50]},"h":{"k":20},"a":{"k":40},"g":{"p":2,"k":{"k":[0,1,0,0,1,0,1,0]}},"o":{"k":80},"w":{"k":3},"d":[{"n":"d","v":{"k":6}},{"n":"g","v":{"k":3}},{"n":"o","v":{"k":[{"t":0,"s":[0]},{"t":60,"s":[30]}]}}]},{"ty":"tr","p":{"k":[0,0]},"a":{"k":[0,0]},"s":{"k":[90,110]},"r":{"k":[{"t":0,"s":[0]},{"t":60,"s":[360]}]},"o":{"k":70},"sk":{"k":10},"sa":{"k":20}}]}"#
        ), #","markers":[{"tm":0,"cm":"in","dr":30},{"tm":30,"cm":"{\"name\":\"out\"}","dr":30}]"#)

    private static let modifiers = file(
        shapes(
            #"{"ty":"rc","p":{"k":[40,40]},"s":{"k":[40,40]},"r":{"k":0}},{"ty":"el","p":{"k":[60,60]},"s":{"k":[40,30]}},{"ty":"mm","mm":4},{"ty":"rd","r":{"k":5}},{"ty":"op","a":{"k":3},"lj":2,"ml":{"k":4}},"#
                + red) + ","
            + shapes(
                #"{"ty":"sr","sy":2,"p":{"k":[50,50]},"pt":{"k":6},"r":{"k":0},"or":{"k":30},"os":{"k":0}},{"ty":"pb","a":{"k":20}},{"ty":"zz","s":{"k":3},"r":{"k":4},"pt":{"k":2}},{"ty":"tw","a":{"k":40},"c":{"k":[50,50]}},{"ty":"tm","s":{"k":10},"e":{"a":1,"k":[{"t":0,"s":[20]},{"t":60,"s":[100]}],"x":"var $bm_rt;\n$bm_rt = loopOut('pingpong');"},"o":{"k":90},"m":1},"#
                    + stroke
                    + #",{"ty":"rp","c":{"k":4},"o":{"k":0.5},"m":1,"tr":{"a":{"k":[0,0]},"p":{"k":[5,5]},"s":{"k":[90,90]},"r":{"k":15},"so":{"k":100},"eo":{"k":20}}}"#
            ))

    private static let layers = file(
        #"{"ty":3,"ind":1,"ip":0,"op":60,"ks":{"p":{"s":true,"x":{"k":[{"t":0,"s":[0]},{"t":30,"s":[40]}],"x":"loopOut()"},"y":{"k":0,"x":"Math.sin(time*2)*20+value"}}}},{"ty":0,"ind":2,"parent":1,"nm":"inner","refId":"c0","w":100,"h":100,"ip":0,"op":60,"st":5,"sr":2,"ks":{"o":{"k":80}},"masksProperties":[{"mode":"a","pt":{"k":{"v":[[0,0],[90,0],[50,90]],"i":[[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0]],"c":true}},"o":{"k":100},"x":{"k":5}},{"mode":"s","inv":false,"pt":{"k":{"v":[[20,20],[60,20],[40,60]],"c":true}},"o":{"k":50}}]},{"ty":1,"ind":3,"sw":60,"sh":60,"sc":"green","ip":0,"op":50,"td":1,"ks":{"r":{"k":20},"p":{"k":[20,20]}}},{"ty":4,"ind":4,"tt":2,"tp":3,"ip":0,"op":60,"bm":2,"ao":1,"ks":{"p":{"k":[{"t":0,"s":[20,50],"to":[10,10],"ti":[-10,10],"i":{"x":0.4,"y":1},"o":{"x":0.6,"y":0}},{"t":60,"s":[80,50]}]}},"shapes":[{"ty":"el","p":{"k":[0,0]},"s":{"k":[30,30]}},{"ty":"fl","c":{"k":[0.2,0.4,1]},"o":{"k":100}}],"ef":[{"ty":29,"ef":[{"v":{"k":10}},{"v":{"k":1}},{"v":{"k":0}}]},{"ty":25,"ef":[{"v":{"k":[0,0,0,1]}},{"v":{"k":128}},{"v":{"k":135}},{"v":{"k":5}},{"v":{"k":10}},{"v":{"k":0}}]},{"ty":21,"ef":[{"v":{"k":0}},{"v":{"k":0}},{"v":{"k":[1,0,0,1]}},{"v":{"k":0}},{"v":{"k":0}},{"v":{"k":0}},{"v":{"k":0.5}}]}]},{"ty":2,"ind":5,"tt":3,"tp":2,"refId":"i0","ip":0,"op":60,"ks":{"s":{"k":[50,50]}}}"#,
        #","assets":[{"id":"c0","layers":["#
            + shapes(#"{"ty":"rc","p":{"k":[50,50]},"s":{"k":[40,40]},"r":{"k":3}},"# + red)
            + #",{"ty":0,"refId":"c1","w":50,"h":50,"ip":0,"op":60,"tm":{"k":[{"t":0,"s":[0]},{"t":60,"s":[2]}]},"ks":{}}]},{"id":"c1","layers":["#
            + shapes(#"{"ty":"el","p":{"k":[25,25]},"s":{"k":[20,20]}},"# + stroke)
            + #"]},{"id":"i0","w":4,"h":4,"u":"","e":1,"p":"data:image/png;base64,"# + image + #""}]"#)

    private static let texts = file(
        #"{"ty":5,"ip":0,"op":60,"ks":{"p":{"k":[10,50]}},"t":{"d":{"k":[{"t":0,"s":{"t":"ab a\rb","f":"F","s":20,"lh":24,"ls":0,"tr":10,"j":2,"fc":[1,0,0],"sc":[0,0,1],"sw":1,"of":true}},{"t":30,"s":{"t":"ba","f":"F","s":30,"fc":[0,1,0],"sz":[80,60],"ps":[0,0]}}]},"a":[{"s":{"s":{"k":0},"e":{"k":[{"t":0,"s":[0]},{"t":60,"s":[100]}]},"o":{"k":0},"a":{"k":100},"b":1,"sh":4,"r":1,"xe":{"k":20},"ne":{"k":10}},"a":{"p":{"k":[0,-10]},"s":{"k":[150,150]},"r":{"k":40},"o":{"k":50},"fc":{"k":[0,0,1]},"t":{"k":20}}}],"p":{},"m":{"g":1,"a":{"k":[0,0]}}}}"#,
        #","fonts":{"list":[{"fName":"F","fFamily":"Fam","fStyle":"Bold"}]},"chars":[{"ch":"a","fFamily":"Fam","style":"Bold","w":60,"data":{"shapes":[{"ty":"gr","it":[{"ty":"sh","ks":{"k":{"v":[[0,0],[50,0],[25,-70]],"i":[[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0]],"c":true}}}]}]}},{"ch":"b","fFamily":"Fam","style":"Bold","w":50,"data":{"shapes":[{"ty":"gr","it":[{"ty":"sh","ks":{"k":{"v":[[0,0],[50,0],[50,-70],[0,-70]],"i":[[0,0],[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0],[0,0]],"c":true}}}]}]}},{"ch":" ","fFamily":"Fam","style":"Bold","w":30}]"#
    )

    private static func effect(_ type: Int, _ matchName: String, _ values: String...) -> String {
        let children = values.map { #"{"ty":0,"v":{"k":\#($0)}}"# }.joined(separator: ",")
        return #"{"ty":\#(type),"nm":"e","mn":"\#(matchName)","ef":[\#(children)]}"#
    }

    private static let effects = file(
        shapes(
            #"{"ty":"rc","p":{"k":[50,50]},"s":{"k":[40,40]},"r":{"k":0}},"# + red,
            #","ind":1,"hasMask":true,"masksProperties":[{"mode":"n","pt":{"k":{"v":[[20,20],[80,20],[80,80]],"i":[[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0]],"c":true}},"o":{"k":100},"x":{"k":0}}],"ef":["#
                + [
                    effect(5, "ADBE Ramp", "[0,0]", "[1,0,0]", "[99,99]", "[0,0,1]", "2", "0", "0.2"),
                    effect(
                        5, "ADBE 4ColorGradient", "0", "[9,9]", "[1,0,0]", "[90,9]", "[0,1,0]", "[9,90]", "[0,0,1]",
                        "[90,90]", "[1,1,1]", "0", "100", "0", "50", "5"),
                    effect(5, "ADBE Box Blur2", "3", "2", "1", "0"),
                    effect(5, "ADBE Simple Choker", "1", #"[{"t":0,"s":[-3]},{"t":60,"s":[4]}]"#),
                    effect(22, "ADBE Stroke", "1", "1", "1", "[0,1,0]", "3", "1", "1", "10", "90", "40", "1"),
                    effect(26, "ADBE Radial Wipe", "30", "45", "[50,50]", "3", "5"),
                    effect(35, "ADBE Geometry2", "[50,50]", "[55,50]", "0", "90", "110", "10", "5", "20", "80"),
                    effect(5, "ADBE Invert", "1", "0.3"),
                    effect(5, "ADBE Brightness & Contrast 2", "20", "30", "0"), effect(28, "", "2", "5", "1"),
                ].joined(separator: ",") + "]") + ","
            + shapes(
                #"{"ty":"el","p":{"k":[50,50]},"s":{"k":[30,30]}},"# + red,
                #","ind":2,"sy":[{"ty":0,"c":{"k":[1,0,0]},"s":{"k":3}},{"ty":1,"c":{"k":[0,0,0]},"o":{"k":60},"a":{"k":120},"d":{"k":5},"s":{"k":6},"ch":{"k":20},"bm":{"k":5}},{"ty":2,"c":{"k":[0,0,0]},"o":{"k":60},"a":{"k":120},"d":{"k":5},"s":{"k":6},"ch":{"k":20},"bm":{"k":1}},{"ty":3,"c":{"k":[1,1,0]},"o":{"k":60},"s":{"k":6},"bm":{"k":11}},{"ty":8,"o":{"k":60},"a":{"k":30},"gt":{"k":2},"s":{"k":80},"of":{"k":[5,5]},"bm":{"k":1},"gf":{"p":2,"k":{"k":[0,1,0,0,1,0,0,1]}}}]"#
            ))

    private static let space = file(
        #"{"ty":13,"ip":0,"op":60,"pe":{"k":100},"ks":{"p":{"k":[{"t":0,"s":[50,50,-100]},{"t":60,"s":[90,20,-50]}]},"a":{"k":[50,50,0]},"or":{"k":[0,0,0]},"rx":{"k":3},"ry":{"k":4},"rz":{"k":5}}},{"ty":3,"ind":4,"ddd":1,"ip":0,"op":60,"ks":{"p":{"k":[50,50,10]},"ry":{"k":[{"t":0,"s":[0]},{"t":60,"s":[360]}]}}},{"ty":1,"ddd":1,"parent":4,"sc":"red","sw":40,"sh":40,"ip":0,"op":60,"ks":{"p":{"k":[0,0,0]},"a":{"k":[20,20,5]},"s":{"k":[100,100,100]},"or":{"k":[{"t":0,"s":[0,0,0]},{"t":60,"s":[80,300,20]}]},"rx":{"k":30}}},{"ty":0,"ddd":1,"refId":"c0","w":100,"h":100,"ip":0,"op":60,"ks":{"p":{"s":true,"x":{"k":50},"y":{"k":50},"z":{"k":-20}},"a":{"k":[50,50,0]},"rx":{"k":85}}}"#,
        #","assets":[{"id":"c0","layers":["# + shapes(#"{"ty":"el","p":{"k":[50,50]},"s":{"k":[80,80]}},"# + stroke)
            + "]}]")

    /// A PNG image of 2 x 2 pixels in base64.
    static let image =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEklEQVR42mP4z8DwHwgbGGAMAEBXBvtWfMWmAAAAAElFTkSuQmCC"
}
