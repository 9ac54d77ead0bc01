import Core
import Testing

@testable import Lottie

/// Parts of the format that are easily misread.
@Suite struct ReadingTests {
    /// Returns an animation of 100 x 100 points and two seconds with layers given as JSON text.
    private func file(_ layers: String, _ more: String = "") throws -> JSON {
        let text =
            #"{"v":"5.9.0","fr":30,"ip":0,"op":60,"w":100,"h":100,"layers":["# + layers + "]" + more + "}"
        return try JSON(parsing: Array(text.utf8))
    }

    private let solid = #""ty":1,"sw":100,"sh":100,"sc":"red","ip":0,"op":60"#

    /// Returns a layer with a square over the whole canvas and a style.
    private func square(_ style: String) -> String {
        #"{"ty":4,"ip":0,"op":60,"ks":{},"shapes":[{"ty":"rc","p":{"k":[50,50]},"s":{"k":[100,100]},"r":{"k":0}},"#
            + style + "]}"
    }

    /// Commas and brackets in a text are not values.
    @Test func limitsCountValuesOutsideOfTexts() throws {
        let text = String(repeating: ",[\\\"", count: LottieLimits.maxValues)
        let json = try JSON(parsing: Array("[\"\(text)\"]".utf8))
        #expect(json == .array([.string(String(repeating: ",[\"", count: LottieLimits.maxValues))]))
        let values = "[" + String(repeating: "0,", count: LottieLimits.maxValues) + "0]"
        #expect(throws: LottieError.self) { try JSON(parsing: Array(values.utf8)) }
    }

    @Test(arguments: [
        (String(repeating: "[", count: 3000), "values are nested deeper than the maximum of 200 levels"),
        (
            #"["\u0000"]"#,
            #"not valid JSON: line 1, column 9: \u0000 in a text is not supported; export the file again"#
        ),
        (" \n", "the file is empty; export it again"),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
            "the file is a Git LFS pointer; run 'git lfs pull'"
        ),
    ])
    func refusalsNameTheLimit(text: String, message: String) {
        #expect { try JSON(parsing: Array(text.utf8)) } throws: { "\($0)" == message }
    }

    @Test func theLastOfTwoFinalKeyframesAtOneTimeApplies() throws {
        let opacity = #"{"a":1,"k":[{"t":0,"s":[100],"h":1},{"t":30,"s":[100]},{"t":30,"s":[0]}]}"#
        let json = try file("{" + solid + #","ks":{"o":"# + opacity + "}}")
        #expect(try draw(json, frame: 29)[50, 50] == .fullRed)
        #expect(try draw(json, frame: 45)[50, 50] == .white)
    }

    @Test func slotsReplaceValues() throws {
        let fill = #"{"ty":"fl","c":{"sid":"main","k":[1,0,0]},"o":{"k":100}}"#
        let json = try file(square(fill), #","slots":{"main":{"p":{"a":0,"k":[0,0,1]}}}"#)
        #expect(try draw(json)[50, 50] == .fullBlue)
        let alone = try file(square(#"{"ty":"fl","c":{"sid":"none"},"o":{"k":100}}"#))
        #expect(throws: LottieError.self) { try draw(alone) }
    }

    /// Two opacity stops at one offset make a hard edge.
    @Test func opacityStopsCanMakeHardEdges() throws {
        let stops = "[0,0,0,1, 1,0,0,1, 0,1, 0.5,1, 0.5,0, 1,0]"
        let fill =
            #"{"ty":"gf","t":1,"s":{"k":[0,0]},"e":{"k":[100,0]},"o":{"k":100},"g":{"p":2,"k":{"k":"# + stops + "}}}"
        let bitmap = try draw(try file(square(fill)))
        #expect(bitmap[45, 50] == .fullBlue && bitmap[55, 50] == .white && bitmap[75, 50] == .white)
    }

    /// A composition shows nothing after its layers have ended, except that a remap to the very end
    /// shows the last frame.
    @Test func timeCanBeRemappedPastTheLayers() throws {
        let assets = #","assets":[{"id":"c","layers":[{"ks":{},"ty":1,"sw":100,"sh":100,"sc":"red","ip":0,"op":20}]}]"#
        let remap = #"{"a":1,"k":[{"t":0,"s":[0]},{"t":60,"s":[2]}]}"#
        let layer = #"{"ty":0,"refId":"c","w":100,"h":100,"ip":0,"op":60,"ks":{},"tm":"# + remap + "}"
        let json = try file(layer, assets)
        #expect(try draw(json, frame: 10)[50, 50] == .fullRed && draw(json, frame: 20)[50, 50] == .fullRed)
        #expect(try draw(json, frame: 40)[50, 50] == .white)
    }

    /// Exporters write unknown effects as groups, as they do with expression controls.
    @Test(arguments: [("ADBE Glo2", true), ("ADBE Slider Control", false), ("Pseudo/ADBE Trace Path", false)])
    func unknownEffectsAreRefused(match: String, isRefused: Bool) throws {
        let effect = #"{"ty":5,"nm":"it","mn":""# + match + #"","ef":[{"ty":0,"v":{"k":1}}]}"#
        let reported = try unsupportedFeatures(try file("{" + solid + #","ks":{},"ef":["# + effect + "]}"))
        #expect(reported == (isRefused ? ["layers[0].ef[0]: the effect 'it' (type 5)"] : []))
    }

    @Test func motionByExpressionsIsAPhase() throws {
        let turn = #"{"a":1,"k":[{"t":0,"s":[0]},{"t":15,"s":[90]}],"x":"var $bm_rt; $bm_rt = loopOut('cycle');"}"#
        let loader = try LottieFixture(try file("{" + solid + #","ks":{"r":"# + turn + "}}")).loader
        #expect(loader.phaseDurations.map(\.name.english) == ["layer 1 turns"])
        let other = #"{"a":0,"k":0,"x":"var $bm_rt; $bm_rt = $bm_mul(time, 360);"}"#
        let spinner = try LottieFixture(try file("{" + solid + #","ks":{"r":"# + other + "}}")).loader
        #expect(spinner.phaseDurations.map(\.name.english) == ["layer 1 turns"])
    }
}
