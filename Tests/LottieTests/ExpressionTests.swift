import Core
import TestSupport
import Testing

@testable import Lottie

/// The values, references and limits of expressions.
@Suite struct ExpressionValueTests {
    /// Returns an animation with a solid layer whose rotation of 5 degrees has an expression.
    private func animation(_ expression: String, _ more: JSON...) throws -> Animation {
        let first = solid("#000", at: ["r": computed(expression, value: 5)], ["ind": 1])
        let json = lottie(first, to: 100, ["layers": .array([first] + more)])
        return try LottieFixture(json).animation
    }

    /// Returns the rotation at a frame. The expression must not fail.
    private func rotation(_ expression: String, _ more: JSON..., at frame: Double = 15) throws -> Double {
        let first = solid("#000", at: ["r": computed(expression, value: 5)], ["ind": 1])
        let animation = try LottieFixture(lottie(first, to: 100, ["layers": .array([first] + more)])).animation
        try #require(animation.unsupported.isEmpty, "\(animation.unsupported)")
        return animation.composition.layers[0].transform.rotation.value(at: frame, in: animation.frameContext())
    }

    @Test func programsHaveTheValuesOfJavaScript() throws {
        for (source, value) in languageCases {
            let result = try rotation(source)
            #expect(abs(result - value) < 1e-12, "\(source): \(result), not \(value)")
        }
    }

    /// The spaces of ECMAScript beyond ASCII separate tokens.
    @Test(arguments: ["\u{A0}", "\u{2003}", "\u{3000}", "\u{FEFF}", "\u{2028}", "\u{2029}"])
    func wideSpacesSeparateTokens(space: String) throws {
        for (source, value) in [
            ("value_+ 45", 50.0), ("1_+ 45", 46), ("_0x1F_+_1_", 32), ("var_a_=_4;_a_*_a", 16), ("'_'.length", 1),
            ("var größe_= 4; größe", 4),
        ] {
            let text = source.replacing("_", with: space)
            #expect(try rotation(text) == value, "\(text)")
        }
    }

    @Test(arguments: ["\u{2028}", "\u{2029}"]) func separatorsEndLines(end: String) throws {
        for (source, value) in [
            ("var a = 2_var b = 3_a * b", 6.0), ("value // note_+ 1", 6), ("var a = 2 /*_*/ var b = 3; a * b", 6),
            ("'\\_a'.length", 1),
        ] {
            let text = source.replacing("_", with: end)
            #expect(try rotation(text) == value, "\(text)")
        }
    }

    /// A value that one expression throws is not the value of another one's error.
    @Test func thrownValuesStayInTheirProgram() throws {
        let other = solid("#000", at: ["r": computed("throw 3")], ["ind": 2])
        let source = """
            var inner, outer;
            try {
                try { throw 9 } finally {
                    try { thisComp.layer(2).rotation + 0 } catch (e) { inner = e.message }
                }
            } catch (e) { outer = e }
            inner == "throws '3'" ? outer : 0
            """
        let animation = try animation(source, other)
        #expect(animation.composition.layers[0].transform.rotation.value(at: 0, in: animation.frameContext()) == 9)
        let reported = animation.unsupported.map(\.description)
        #expect(reported.count == 1 && reported[0].hasSuffix("(it fails: it throws '3')"), "\(reported)")
    }

    @Test func functionsHaveTheValuesOfAfterEffects() throws {
        for (source, value) in functionCases {
            let result = try rotation(source)
            #expect(abs(result - value) < 1e-9, "\(source): \(result), not \(value)")
        }
    }

    @Test func expressionsReferToOtherLayers() throws {
        let slider: JSON = [
            "ty": 5, "nm": "Speed", "mn": "ADBE Slider Control", "ix": 1,
            "ef": [["ty": 0, "nm": "Slider", "mn": "ADBE Slider Control-0001", "ix": 1, "v": property(30)]],
        ]
        let other = shapes(
            group(rectangle([10, 20], [40, 60]), fill(red)).with(["nm": "Box"]),
            at: ["p": keys(key(0, [0, 0]), key(20, [20, 40]))],
            ["nm": "other", "ind": 2, "ef": [slider]])
        let guide = solid("#000", at: [:], ["ind": 3, "nm": "guide", "hd": true, "sw": 40, "sh": 100])
        for (source, value) in [
            ("thisComp.layer('other').effect('Speed')('Slider')", 30.0), ("thisComp.layer(2).effect(1)(1) * 2", 60),
            ("thisComp.layer('other').transform.position[1]", 30),
            ("thisComp.layer('other').position.valueAtTime(0)[0]", 0),
            ("thisComp.layer('other').content('Box').content(1).size[1]", 60),
            ("thisComp.layer(thisLayer, 1).index", 2),
            ("thisComp.layer('other').position.numKeys", 2), ("thisComp.layer('other').position.key(2).time", 2),
            ("thisComp.layer('other').position.nearestKey(0.4).index", 1),
            ("Math.round(thisComp.layer('other').position.velocity[1])", 20),
            ("[1, thisComp.layer('other').effect('Speed')('Slider')][1]", 30),
            ("var s = thisComp.layer(2).effect(1)(1); ([s, s] + [1, 2])[1]", 32),
            ("thisComp.layer('guide').width", 40), ("thisComp.layer('guide').sourceRectAtTime().height", 100),
            ("thisComp.layer('guide').enabled ? 1 : 0", 0), ("thisComp.layer('other').enabled ? 1 : 0", 1),
            ("thisComp.layer('other')(2)('Box')(2)(1)('ADBE Vector Rect Size')[1]", 60),
            ("thisComp.layer('other')('ADBE Root Vectors Group')(1)._name == 'Box' ? 1 : 0", 1),
            ("thisComp.layer('other').content('Box').content(1).size.propertyGroup(1).size[0]", 40),
            ("thisComp.layer('other').content('Box').content(1).size.propertyGroup(3)._name == 'Box' ? 1 : 0", 1),
            ("thisComp.layer('other').content('Box').content(1).size.propertyGroup(5).index", 2),
            ("thisComp.layer('other').effect(1)(1).propertyGroup(1)._name == 'Speed' ? 1 : 0", 1),
            ("thisComp.layer('other').effect(1)(1).propertyGroup()('Slider')", 30),
            ("thisComp.layer('other').fromCompToSurface([16, 32])[0]", 1),
            ("thisProperty.propertyGroup(1).opacity", 100), ("propertyGroup(2).index", 1),
            ("thisComp.layer('other').position.smooth(0.4, 5)[1]", 30),
            ("Math.abs(thisComp.layer('other').position.temporalWiggle(2, 0.2)[1] - 30) <= 4 ? 1 : 0", 1),
            ("thisComp.layer('other').toComp([1, 2])[0]", 16), ("thisComp.layer('other').sourceRectAtTime().width", 40),
            ("(thisComp.layer)('other').index", 2), ("(thisComp.layer('other')).position.numKeys", 2),
            ("var f = e => { eval(e); return thisLayer.index }; f('1') * 100 + f('var thisLayer = {index: 40}')", 140),
            ("var f = (e, l) => { eval(e); return l.index }; f('var l = {index: 3}', thisComp.layer(2))", 3),
            ("var a = thisComp.layer('other').effect(1)(1); var effect = i => 4; a + effect(1)", 34),
        ] { expect(try rotation(source, other, guide), near: value, within: 1e-9) }
    }

    /// Values at the same time are equal in any order, and on any thread.
    @Test func valuesDependOnTheTimeAlone() async throws {
        let animation = try animation("random(100) + wiggle(3, 20) + noise(time * 1.7) + Math.random()")
        let rotation = animation.composition.layers[0].transform.rotation
        let values = (0..<40).map { rotation.value(at: Double($0), in: animation.frameContext()) }
        #expect(Set(values).count == 40)
        await withTaskGroup(of: Bool.self) { group in
            for frame in (0..<40).reversed() {
                group.addTask { rotation.value(at: Double(frame), in: animation.frameContext()) == values[frame] }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }

    /// `posterizeTime` holds random numbers as long as the time.
    @Test func posterizedRandomNumbersAreHeld() throws {
        for (rate, count) in [(0.0, 1), (1, 4), (2, 8), (10, 40)] {
            let animation = try animation("posterizeTime(\(rate)); random(-10, 10) + wiggle(3, 4)")
            let rotation = animation.composition.layers[0].transform.rotation
            let values = (0..<40).map { rotation.value(at: Double($0), in: animation.frameContext()) }
            #expect(Set(values).count == count)
            #expect(zip(values, values.dropFirst()).count { $0 != $1 } == count - 1)
        }
    }

    /// Unlike those of `createPath`, the tangents of an object are the control points.
    @Test func objectsWithPointsArePaths() throws {
        for (more, area) in [("i: p, o: p, c: true", 1600.0), ("c: true", 1600), ("i: p, o: p", 1600)] {
            let source = "var p = [[20, 20], [60, 20], [60, 60], [20, 60]]; ({v: p, \(more)})"
            let shape = path(computed(source, value: box(0, 0, 9, 9)))
            expect(try draw(shape, fill(black)).area, near: area)
        }
        #expect(try animation("({v: 3})").unsupported.count == 1)
    }

    /// Glyphs (`chars`) have no expressions, because they are in no layer.
    @Test(arguments: ["propertyGroup(1)", "thisProperty.propertyIndex", "thisLayer.index", "while (true) {}"])
    func expressionsInGlyphsAreIgnored(source: String) throws {
        let path = JSON.object([
            "ty": "sh", "ks": ["k": ["v": [[0, 0], [9, 0], [0, 9]], "c": true], "x": .string(source)],
        ])
        let glyph: JSON = [
            "ch": "a", "fFamily": "F", "style": "", "w": 60, "data": ["shapes": [["ty": "gr", "it": [path]]]],
        ]
        let file = lottie(solid("#000"), ["chars": [glyph]])
        #expect(try LottieFixture(file).animation.unsupported.isEmpty)
    }

    @Test(arguments: [
        "while (true) {}", "for (;;) { try { throw 1 } catch (e) {} }", "function f() { return f() } f()",
        "var a = []; while (true) a.push(1)", "var s = 'x'; while (true) s += s", "new Array(1e9)", "'x'.repeat(1e9)",
        "var a = [1]; while (true) a = a.concat(a)", "while (true) { try { Array(-1e9) } catch (e) {} }",
        "function f() { try { return f() } finally { return 1 } } f()",
        "var s = 'x'.repeat(10000), o = {}; for (var i = 0; i < 2000; i++) { o[[i, s]] = 1 }",
        "new Array(20000).fill(['x'.repeat(5000)]).sort()", "new Array(25000).join('x'.repeat(10000))",
        "''.padStart(80000, 'x'.repeat(10000))", "'x'.repeat(5000).padEnd(9999, 'é')",
        "var s = 'x'.repeat(10000); for (var i = 0; i < 2000; i++) s.includes('b')",
        "var s = '1'.repeat(10000); for (var i = 0; i < 2000; i++) [s] * 1",
    ])
    func hostileProgramsAreRefused(source: String) throws {
        let error = #expect(throws: LottieError.self) { try animation(source) }
        #expect("\(error as Any)".contains("layers[0].ks.r.x"))
        #expect("\(error as Any)".contains("maximum"))
    }

    @Test func referenceCyclesAreRefused() throws {
        let other = solid("#000", at: ["r": computed("thisComp.layer(1).rotation")], ["ind": 2])
        let error = #expect(throws: LottieError.self) { try animation("thisComp.layer(2).rotation", other) }
        #expect("\(error as Any)".contains("refers to itself"))
        // `finally` does not hide the cycle from the layer that is evaluated first.
        let caught = "(function () { try { return thisComp.layer(2).rotation + 0 } finally { return 1 } })()"
        let back = solid("#000", at: ["r": computed("thisComp.layer(1).rotation + 1")], ["ind": 2])
        #expect(throws: LottieError.self) { try animation(caught, back) }
        // A property that refers to itself has its value without the expression.
        #expect(try rotation("thisLayer.rotation + 1") == 6)
    }

    @Test func expressionsThatFailAreReported() throws {
        for (source, reason) in [
            ("thisComp.layer('none').rotation", "it fails: it has no layer 'none'"),
            ("footage(1)", "it uses 'footage'"),
            ("thisComp.layer(thisComp)", "it fails: it uses a composition as a layer"),
            ("thisComp.layer(thisComp.marker)", "it fails: it uses a composition as a layer"),
            ("try { footage(1) } catch (e) { 1 }", "it uses 'footage'"), ("null.x", "it fails: it reads 'x' of null"),
            ("value +", "it ends too early"), ("f(1", "it ends too early"),
            ("const a = 1; a = 2", "it fails: it assigns to the constant 'a'"),
            ("const a; 1", "it declares the constant 'a' without a value"),
            ("eval('return 1')", "it fails: it evaluates a text with return, break or continue at its top level"),
        ] {
            let reported = try animation(source).unsupported.map(\.description)
            #expect(reported.count == 1 && reported[0].hasSuffix("(\(reason))"), "\(reported)")
        }
    }
}
