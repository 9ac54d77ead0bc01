import Testing

@testable import Lottie

/// Unsupported features are reported with their paths in the file.
@Suite struct RefusalTests {
    private let square = rectangle([50, 50], [40, 40])

    /// Returns animations with one unsupported feature each, and the reports.
    private func cases() -> [(JSON, String)] {
        [
            (
                lottie(shapes(square, fill(black), ["ef": [["ty": 34, "nm": "Warp", "ef": []]]])),
                "layers[0].ef[0]: the effect 'Warp' (type 34)"
            ),
            (lottie(solid("#000"), layer(9, [:], ["nm": "Clip"])), "layers[1]: a layer of type 9 (video) 'Clip'"),
            (lottie(shapes(square, fill(black, ["bm": 17]))), "layers[0].shapes[1].bm: the blend mode 17 (hard mix)"),
            (lottie(solid("#000", ["bm": 99])), "layers[0].bm: the blend mode 99"),
            (lottie(solid("#000", ["tt": 9])), "layers[0].tt: the track matte 9"),
            (lottie(solid("#000", ["sy": [["ty": 5, "nm": "Bevel"]]])), "layers[0].sy[0]: a layer style 'Bevel'"),
            (
                lottie(solid("#000", ["sy": [["ty": 1, "bm": property(2), "nm": "Shade"]]])),
                "layers[0].sy[0].bm: the blend mode of a layer style 'Shade'"
            ),
            (
                lottie(solid("#000", ["ef": [["ty": 5, "nm": "Mesh", "mn": "ADBE Mesh Warp", "ef": []]]])),
                "layers[0].ef[0]: the effect 'Mesh' (type 5)"
            ),
            (
                lottie(shapes(square, .object(["ty": "xx", "nm": "Odd"]))),
                "layers[0].shapes[1]: the shape item 'xx' 'Odd'"
            ),
            (lottie(shapes(group(square, merge(9), fill(black)))), "layers[0].shapes[0].it[1]: merge paths by mode 9"),
            (
                lottie(solid("#000", ["masksProperties": [mask("x", box(0, 0, 9, 9))]])),
                "layers[0].masksProperties[0]: a mask of the mode 'x'"
            ),
            (
                lottie(solid("#000", at: ["r": computed("footage('a')")])),
                "layers[0].ks.r.x: the expression 'footage('a')' (it uses 'footage')"
            ),
            (
                lottie(solid("#000", at: ["r": computed("thisComp.layer('a').rotation")])),
                "layers[0].ks.r.x: the expression"
            ),
            (
                lottie(precomposition("c"), assets: [asset("c", solid("#000"), solid("#000", ["sy": [["ty": 5]]]))]),
                "assets[0].layers[1].sy[0]: a layer style"
            ),
        ]
    }

    @Test func unsupportedFeaturesAreReportedWithTheirPaths() throws {
        for (json, message) in cases() {
            let reported = try unsupportedFeatures(json)
            #expect(reported.count == 1 && reported[0].hasPrefix(message), "\(reported), not \(message)")
        }
    }

    @Test func allUnsupportedFeaturesAreReported() throws {
        let json = lottie(
            solid("#000", ["bm": 99, "sy": [["ty": 5]]]), null(at: ["r": computed("wiggle(1, 2")]))
        #expect(
            try unsupportedFeatures(json).map { $0.prefix { $0 != ":" } } == [
                "layers[0].bm", "layers[0].sy[0]", "layers[1].ks.r.x",
            ])
    }

    @Test func hiddenFeaturesAreNotReported() throws {
        #expect(
            try unsupportedFeatures(
                lottie(layer(9, [:], ["hd": true]), solid("#000", ["hd": true, "sy": [["ty": 5]]]))) == [])
        #expect(try unsupportedFeatures(lottie(shapes(.object(["ty": "xx", "hd": true])))) == [])
    }

    /// Layers that no frame shows can have any features, and lack their images.
    @Test func unseenFeaturesAreNotReported() throws {
        let odd: [String: JSON] = ["sy": [["ty": 5]], "bm": 0]
        #expect(
            try unsupportedFeatures(
                lottie(
                    layer(9, [:], ["ip": 5, "op": 5]), solid("#000", odd.merging(["ip": 40]) { $1 }),
                    solid("#000", odd.merging(["ip": -9, "op": 0]) { $1 }), solid("#000", at: ["o": 0], odd),
                    layer(2, [:], ["refId": "none", "ip": 40]), precomposition("c", ["op": -1]),
                    assets: [asset("c", layer(9))])) == [])
        #expect(try unsupportedFeatures(lottie(solid("#000", at: ["o": 1], odd))).count == 1)
    }

    /// A composition can be in both a layer that no frame shows and one that is visible.
    @Test(arguments: [false, true]) func featuresOfSharedCompositionsAreReported(isReversed: Bool) throws {
        func file(_ layers: [JSON]) -> JSON {
            let inner = asset("c", layer(9), precomposition("none"), precomposition("d"))
            return lottie(assets: [inner, asset("d", solid("#000", ["sy": [["ty": 5]]]))])
                .with(["layers": .array(isReversed ? layers.reversed() : layers)])
        }
        let unseen = precomposition("c", ["ip": 5, "op": 5])
        let both = try LottieFixture(file([unseen, precomposition("c"), unseen]))
        #expect(
            both.animation.unsupported.map(\.path) == ["assets[0].layers[0]", "assets[1].layers[0].sy[0]"])
        #expect(both.loader.notes.count == 1)
        let alone = try LottieFixture(file([unseen, unseen]))
        #expect(alone.animation.unsupported.isEmpty && alone.loader.notes.isEmpty)
    }

    /// As in lottie-web, a layer whose composition is missing is empty.
    @Test func missingCompositionsAreEmpty() throws {
        let fixture = try LottieFixture(lottie(precomposition("none"), shapes(square, fill(black))))
        expect(try fixture.render().area, near: 1600)
        #expect(
            fixture.loader.notes == [
                "layers[0]: the composition 'none' (refId) does not exist, so the layer is empty; export the animation "
                    + "again with it"
            ])
        let many = try LottieFixture(lottie().with(["layers": .array((0..<30).map { precomposition("\($0)") })]))
        #expect(many.loader.notes.count == 11 && many.loader.notes.last == "and 20 more")
    }

    /// Effects without any strength need no support.
    @Test func neutralEffectsAreNotReported() throws {
        func effect(_ matchName: String, numbers: [Int]? = nil, _ values: JSON...) -> JSON {
            let children = values.enumerated().map { index, value in
                let number = numbers?[index] ?? index + 1
                return JSON.object(["v": property(value), "mn": .string("\(matchName)-000\(number)")])
            }
            return ["ty": 5, "nm": "it", "mn": .string(matchName), "ef": .array(children)]
        }
        func reports(_ effect: JSON) throws -> Int {
            try unsupportedFeatures(lottie(solid("#000", ["ef": [effect]]))).count
        }
        #expect(try reports(effect("CC Bend It", 0, [0, 0], [9, 9])) == 0)
        #expect(try reports(effect("ADBE Wave Warp", 1, 0, 9)) == 0)
        #expect(try reports(effect("CC Bend It", 3, [0, 0], [9, 9])) == 1)
        #expect(try reports(effect("CC Bend It", keys(key(0, 0), key(5, 9)))) == 1)
        #expect(try reports(effect("CC Bend It")) == 1)
        #expect(try reports(effect("CC Bend It", 3).with(["en": 0])) == 0)
        // The edge's colour is the second value, but its number is 10. Exporters leave it out.
        #expect(try reports(effect("ADBE Roughen Edges", numbers: [1, 2, 3], 1, 8, 0)) == 1)
        #expect(try reports(effect("ADBE Roughen Edges", numbers: [1, 2, 3], 1, 0, 1)) == 0)
        #expect(try reports(effect("ADBE Roughen Edges", numbers: [1, 3], 1, 0)) == 1)
    }

    /// Exporters leave out the pins of Puppet, and what they do.
    @Test func puppetsWithoutMovingPinsAreDrawn() throws {
        func puppet(_ position: JSON) -> JSON {
            let pin: JSON = ["ty": 3, "nm": "Pin", "v": property(position)]
            let mesh: JSON = ["ty": 5, "nm": "Mesh", "ef": [pin]]
            return shapes(
                square, fill(black), ["ef": [["ty": 34, "nm": "Puppet", "mn": "ADBE FreePin3", "ef": [mesh]]]])
        }
        let fixture = try LottieFixture(lottie(puppet([1, 2])))
        expect(try fixture.render().area, near: 1600)
        #expect(
            fixture.loader.notes == [
                "layers[0].ef[0]: the file has no moving pins of the effect 'Puppet', so the layer is drawn without it"
            ])
        #expect(try unsupportedFeatures(lottie(puppet(keys(key(0, [1, 2]), key(5, [3, 4]))))).count == 1)
    }

    @Test func everythingElseIsDrawn() throws {
        let fixture = try LottieFixture(lottie(shapes(square, fill(black), ["ef": [["ty": 34]], "bm": 99]), layer(9)))
        expect(try fixture.render().area, near: 1600)
        #expect(fixture.loader.omissions.count == 3)
        #expect(fixture.loader.omissions.allSatisfy { $0.hasPrefix("film: without layers[") })
    }

    /// A file with thousands of unsupported features does not flood the terminal.
    @Test func manyOmissionsAreCounted() throws {
        let effects: [JSON] = (0..<250).map { _ in ["ty": 34] }
        let fixture = try LottieFixture(lottie(shapes(square, fill(black), ["ef": .array(effects)])))
        let omissions = fixture.loader.omissions
        #expect(omissions.count == LottieLimits.maxReportedFeatures + 1)
        #expect(omissions.last == "film: and 150 more")
    }

    /// The limit of nesting holds in any order of the layers.
    @Test(arguments: [false, true]) func nestingIsLimitedInAnyOrder(isReversed: Bool) throws {
        func file(levels: Int) -> JSON {
            let assets = (1...levels).map { level in
                asset("c\(level)", level == 1 ? solid("#000") : precomposition("c\(level - 1)"))
            }
            let layers = (1...levels).map { precomposition("c\($0)") }
            return lottie(null(), assets: assets).with(["layers": .array(isReversed ? layers.reversed() : layers)])
        }
        #expect(throws: Never.self) { try LottieFixture(file(levels: LottieLimits.maxNesting)) }
        #expect { try LottieFixture(file(levels: LottieLimits.maxNesting + 1)) } throws: {
            "\($0)".contains("nested deeper than the maximum of 16")
        }
    }

    /// Invalid files are refused, lenient or not.
    @Test func invalidFilesAreRefusedWithThePath() throws {
        let loop = asset("c", precomposition("c"))
        for (json, words) in [
            (lottie(solid("#000"), to: 0), ["the end frame 0 (op) is not after the start frame 0"]),
            (lottie(solid("#000"), rate: 0), ["the frame rate of 0.0"]),
            (lottie(solid("#000"), size: (0, 100)), ["the canvas of 0x100"]),
            (.object(["layers": []]), ["not a Lottie animation"]),
            (lottie(precomposition("c"), assets: [loop]), ["assets[0].layers[0]", "'c' contains itself"]),
            (lottie(layer(2, [:], ["refId": "none"])), ["layers[0]", "the image 'none' (refId) does not exist"]),
            (
                lottie(solid("#000", ["ind": 1, "parent": 2]), null(["ind": 2, "parent": 1])),
                ["the parents of the layer form a cycle"]
            ),
            (
                lottie(
                    null(["ind": 1, "parent": 2]), null(["ind": 2, "parent": 3]), null(["ind": 3, "parent": 2])),
                ["layers[1]", "the parents of the layer form a cycle"]
            ),
            (
                lottie(null()).with(["layers": [["ip": 0, "op": 60, "ks": [:]]]]),
                ["layers[0]", "the layer has no type (ty)"]
            ),
            (lottie(solid("#000", ["tt": 1])), ["layers[0]", "the track matte (tt) has no matte layer"]),
            (lottie(shapes(item("rp", ["c": 5000]))), ["layers[0].shapes[0]", "more than the maximum of 1000 copies"]),
            (lottie(null(at: ["p": ["a": 0, "k": ["x"]]])), ["layers[0].ks.p.k[0]", "expected a number"]),
            (lottie(null(at: ["r": 1e9])), ["layers[0].ks.r.k", "above the maximum"]),
            (lottie(solid("nocolor")), ["layers[0].sc", "expected a colour"]),
            (
                lottie(shapes(path(["v": [[0, 0], [1, 1]], "i": [[0, 0]], "o": [[0, 0]]]))),
                [".i: 1 tangents for 2 vertices"]
            ),
        ] as [(JSON, [String])] {
            let error = #expect(throws: LottieError.self) { try LottieFixture(json) }
            for word in words {
                #expect("\(error.map { "\($0)" } ?? "")".contains(word), "\(error as Any), not \(word)")
            }
        }
    }
}
