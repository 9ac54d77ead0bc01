import Testing

@testable import Lottie

/// What cannot be drawn is said, with its place in the file.
@Suite struct RefusalTests {
    private let square = rectangle([50, 50], [40, 40])

    /// One thing that is not supported, and how that is said.
    private func cases() -> [(JSON, String)] {
        [
            (
                movie(shapes(square, fill(black), ["ef": [["ty": 34, "nm": "Warp", "ef": []]]])),
                "layers[0].ef[0]: the effect 'Warp' (type 34)"
            ),
            (movie(solid("#000"), layer(13, [:], ["nm": "Cam"])), "layers[1]: a layer of type 13 (camera) 'Cam'"),
            (movie(solid("#000", ["bm": 17])), "layers[0].bm: the blend mode 17 (hard mix)"),
            (movie(solid("#000", ["bm": 99])), "layers[0].bm: the blend mode 99"),
            (movie(solid("#000", ["tt": 9])), "layers[0].tt: the track matte 9"),
            (movie(solid("#000", ["sy": [["ty": 3, "nm": "Glow"]]])), "layers[0].sy[0]: a layer style 'Glow'"),
            (movie(solid("#000", at: ["rx": 30])), "layers[0].ks.rx: a turn out of the plane (3D layer)"),
            (
                movie(solid("#000", at: ["or": [0, 10, 0]])),
                "layers[0].ks.or: an orientation out of the plane (3D layer)"
            ),
            (
                movie(shapes(square, .object(["ty": "xx", "nm": "Odd"]))),
                "layers[0].shapes[1]: the shape item 'xx' 'Odd'"
            ),
            (movie(shapes(group(square, merge(9), fill(black)))), "layers[0].shapes[0].it[1]: merge paths by mode 9"),
            (
                movie(solid("#000", ["masksProperties": [mask("x", box(0, 0, 9, 9))]])),
                "layers[0].masksProperties[0]: a mask of the mode 'x'"
            ),
            (
                movie(solid("#000", ["masksProperties": [mask("a", box(0, 0, 9, 9)).with(["f": property([5, 5])])]])),
                "layers[0].masksProperties[0].f: a mask's feather"
            ),
            (
                movie(null(at: ["r": computed("wiggle(2, 30)")])),
                "layers[0].ks.r.x: the expression 'wiggle(2, 30)', which uses 'wiggle',"
            ),
            (movie(null(at: ["r": computed("thisComp.layer('a').rotation")])), "layers[0].ks.r.x: the expression"),
            (
                movie(precomposition("c"), assets: [asset("c", solid("#000"), solid("#000", ["sy": [["ty": 1]]]))]),
                "assets[0].layers[1].sy[0]: a layer style"
            ),
        ]
    }

    @Test func whatIsNotSupportedIsNamedByItsPlace() throws {
        for (json, message) in cases() {
            let named = try refusals(json)
            #expect(named.count == 1 && named[0].hasPrefix(message), "\(named), not \(message)")
        }
    }

    @Test func allOfItIsNamed() throws {
        let json = movie(
            solid("#000", ["bm": 17, "sy": [["ty": 1]]]), null(at: ["r": computed("wiggle(1, 2)"), "rx": 5]))
        #expect(
            try refusals(json).map { $0.prefix { $0 != ":" } } == [
                "layers[0].bm", "layers[0].sy[0]", "layers[1].ks.r.x", "layers[1].ks.rx",
            ])
    }

    @Test func whatIsHiddenNeedsNoSupport() throws {
        #expect(
            try refusals(movie(layer(13, [:], ["hd": true]), solid("#000", ["hd": true, "sy": [["ty": 1]]]))) == [])
        #expect(try refusals(movie(shapes(.object(["ty": "xx", "hd": true])))) == [])
    }

    /// The rest is drawn.
    @Test func withoutItTheRestIsDrawn() throws {
        let film = try Film(movie(shapes(square, fill(black), ["ef": [["ty": 34]], "bm": 17]), layer(13)))
        expect(try film.picture().area, near: 1600)
        #expect(film.loader.omissions.count == 3)
        #expect(film.loader.omissions.allSatisfy { $0.hasPrefix("film: without layers[") })
    }

    /// What makes no sense cannot be drawn at all.
    @Test func nonsenseIsRefusedWithItsPlace() throws {
        let loop = asset("c", precomposition("c"))
        for (json, words) in [
            (movie(solid("#000"), to: 0), ["frames 0...0"]),
            (movie(solid("#000"), rate: 0), ["0.0 frames a second"]),
            (movie(solid("#000"), size: (0, 100)), ["a canvas of 0"]),
            (.object(["layers": []]), ["no Lottie animation"]),
            (movie(precomposition("c"), assets: [loop]), ["assets[0].layers[0]", "'c' holds itself"]),
            (movie(precomposition("none")), ["layers[0]", "no composition 'none'"]),
            (movie(layer(2, [:], ["refId": "none"])), ["layers[0]", "no image 'none'"]),
            (movie(solid("#000", ["parent": 4])), ["layers[0]", "no layer 4"]),
            (movie(solid("#000", ["ind": 1, "parent": 2]), null(["ind": 2, "parent": 1])), ["hangs on itself"]),
            (movie(solid("#000", ["tt": 1])), ["layers[0]", "a matte without a layer"]),
            (movie(shapes(item("rp", ["c": 5000]))), ["layers[0].shapes[0]", "more than 1000 copies"]),
            (movie(null(at: ["p": ["a": 0, "k": ["x"]]])), ["layers[0].ks.p.k[0]", "a number is expected"]),
            (movie(null(at: ["r": 1e9])), ["layers[0].ks.r.k", "too large"]),
            (movie(solid("nocolor")), ["layers[0].sc", "a colour is expected"]),
            (
                movie(shapes(path(["v": [[0, 0], [1, 1]], "i": [[0, 0]], "o": [[0, 0]]]))),
                [".i: 1 tangents for 2 vertices"]
            ),
        ] as [(JSON, [String])] {
            let error = #expect(throws: LottieError.self) { try Film(json) }
            for word in words {
                #expect("\(error.map { "\($0)" } ?? "")".contains(word), "\(error as Any), not \(word)")
            }
        }
    }
}
