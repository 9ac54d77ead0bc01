import Core

/// A writer that formats a reconstruction as a Lottie file.
package struct LottieWriter {
    private let clip: Reconstruction

    package init(_ clip: Reconstruction) { self.clip = clip }

    /// The file's text. Equal reconstructions give equal text.
    package var text: String {
        var layers = clip.layers.reversed().enumerated().map { layer($0.element, index: $0.offset + 1) }
        layers.append(backgroundLayer(index: layers.count + 1))
        return JSONNode.object([
            ("v", .text("5.7.0")), ("fr", .number(clip.frameRate)), ("ip", .number(0)), ("op", .number(frameCount)),
            ("w", .number(Double(clip.width))), ("h", .number(Double(clip.height))), ("nm", .text("reconstruction")),
            ("ddd", .number(0)), ("assets", .list([])), ("layers", .list(layers)),
        ]).string + "\n"
    }

    private var frameCount: Double { clip.duration * clip.frameRate }

    private func backgroundLayer(index: Int) -> JSONNode {
        let color = String(clip.background.hexString.prefix(7))
        return .object([
            ("ddd", .number(0)), ("ind", .number(Double(index))), ("ty", .number(1)), ("nm", .text("background")),
            ("sr", .number(1)), ("ks", transform([])), ("ao", .number(0)), ("sw", .number(Double(clip.width))),
            ("sh", .number(Double(clip.height))), ("sc", .text(color)), ("ip", .number(0)),
            ("op", .number(frameCount)), ("st", .number(0)), ("bm", .number(0)),
        ])
    }

    private func layer(_ object: ReconstructedObject, index: Int) -> JSONNode {
        let isMorph = object.kind == .morph
        var members: [(String, JSONNode)] = [("o", scalar(object.opacity.map { 100 * $0 }))]
        if !isMorph {
            members.append(("r", scalar(object.rotation.map { $0 * 180 / .pi })))
            members.append(("p", position(object)))
        }
        if object.kind == .outline {
            members.append(("s", vector([object.width, object.width].map { $0.map { 100 * $0 } }, suffix: [100])))
        }
        return .object([
            ("ddd", .number(0)), ("ind", .number(Double(index))), ("ty", .number(4)), ("nm", .text(object.name)),
            ("sr", .number(1)), ("ks", transform(members)), ("ao", .number(0)),
            (
                "shapes",
                .list([.object([("ty", .text("gr")), ("nm", .text(object.name)), ("it", .list(items(object)))])])
            ),
            ("ip", .number(0)), ("op", .number(frameCount)), ("st", .number(0)), ("bm", .number(0)),
        ])
    }

    /// Returns a transform with default values for the members that are not given.
    private func transform(_ given: [(String, JSONNode)]) -> JSONNode {
        let defaults: [(String, JSONNode)] = [
            ("o", constant([100])), ("r", constant([0])), ("p", constant([0, 0, 0])), ("a", constant([0, 0, 0])),
            ("s", constant([100, 100, 100])),
        ]
        return .object(defaults.map { member in given.first { $0.0 == member.0 } ?? member })
    }

    // MARK: Shapes

    private func items(_ object: ReconstructedObject) -> [JSONNode] {
        let group = JSONNode.object([
            ("ty", .text("tr")), ("p", constant([0, 0])), ("a", constant([0, 0])), ("s", constant([100, 100])),
            ("r", constant([0])), ("o", constant([100])), ("sk", constant([0])), ("sa", constant([0])),
        ])
        return paths(object) + [style(object), group]
    }

    private func paths(_ object: ReconstructedObject) -> [JSONNode] {
        let size = vector([object.width, object.height])
        switch object.kind {
        case .circle, .ellipse, .ring:
            return [.object([("ty", .text("el")), ("d", .number(1)), ("s", size), ("p", constant([0, 0]))])]
        case .rectangle:
            return [
                .object([
                    ("ty", .text("rc")), ("d", .number(1)), ("s", size), ("p", constant([0, 0])),
                    ("r", scalar(object.cornerRadii)),
                ])
            ]
        case .arc, .roundArc:
            return [
                .object([("ty", .text("el")), ("d", .number(1)), ("s", size), ("p", constant([0, 0]))]), trim(object),
            ]
        case .outline:
            return object.outline.map { contour in
                .object([("ty", .text("sh")), ("ks", .object([("a", .number(0)), ("k", path(contour))]))])
            }
        case .morph: return morph(object)
        }
    }

    private func style(_ object: ReconstructedObject) -> JSONNode {
        let color: (String, JSONNode) = ("c", vector([object.red, object.green, object.blue], suffix: [1]))
        guard object.kind.isArc || object.kind == .ring else {
            return .object([("ty", .text("fl")), color, ("o", constant([100])), ("r", .number(2))])
        }
        return .object([
            ("ty", .text("st")), color, ("o", constant([100])), ("w", scalar(object.lineWidth)),
            ("lc", .number(object.kind == .roundArc ? 2 : 1)), ("lj", .number(1)), ("ml", .number(4)),
        ])
    }

    /// Returns the trim of an ellipse, whose path begins at the top.
    private func trim(_ object: ReconstructedObject) -> JSONNode {
        let trim = ArcTrim(object)
        return .object([
            ("ty", .text("tm")), ("s", scalar(trim.start)), ("e", scalar(trim.end)), ("o", scalar(trim.offset)),
            ("m", .number(1)),
        ])
    }

    private func path(_ contour: [Point]) -> JSONNode {
        let zeros = JSONNode.list(contour.map { _ in .numbers([0, 0]) })
        return .object([
            ("i", zeros), ("o", zeros), ("v", .list(contour.map { .numbers([$0.x, $0.y]) })), ("c", .flag(true)),
        ])
    }

    private func morph(_ object: ReconstructedObject) -> [JSONNode] {
        let count = object.morph.map(\.contours.count).max() ?? 0
        return (0..<count).map { index in
            let keys = object.morph.enumerated().map { number, key -> JSONNode in
                let contours = key.contours
                // A missing outline is a point that covers nothing.
                let contour =
                    index < contours.count ? contours[index] : [contours[0][0], contours[0][0], contours[0][0]]
                var members: [(String, JSONNode)] = [
                    ("t", .number(key.time * clip.frameRate)), ("s", .list([path(contour)])),
                ]
                if number + 1 < object.morph.count { members += timing([key.isHold ? .hold : .linear]) }
                return .object(members)
            }
            return .object([
                ("ty", .text("sh")), ("ks", .object([("a", .number(1)), ("k", .list(keys))])),
            ])
        }
    }

    // MARK: Properties

    private func constant(_ values: [Double]) -> JSONNode {
        .object([("a", .number(0)), ("k", values.count == 1 ? .number(values[0]) : .numbers(values))])
    }

    private func scalar(_ curve: KeyframeCurve) -> JSONNode { vector([curve]) }

    private func position(_ object: ReconstructedObject) -> JSONNode {
        if object.x.isConstant || object.y.isConstant || object.x.sharesTimes(with: object.y) {
            return vector([object.x, object.y], suffix: [0])
        }
        return .object([("s", .flag(true)), ("x", scalar(object.x)), ("y", scalar(object.y))])
    }

    /// Returns a property of several numbers with common keyframes. `suffix` are constant numbers
    /// after them.
    private func vector(_ curves: [KeyframeCurve], suffix: [Double] = []) -> JSONNode {
        guard curves.contains(where: { !$0.isConstant }) else { return constant(curves.map(\.first) + suffix) }
        let times = Set(curves.filter { !$0.isConstant }.flatMap { $0.keys.map(\.time) }).sorted()
        let rows = curves.map { $0.subdivided(at: times) }
        let keys = times.indices.map { index -> JSONNode in
            var members: [(String, JSONNode)] = [
                ("t", .number(times[index] * clip.frameRate)),
                ("s", .numbers(rows.map { $0[index].value } + suffix)),
            ]
            if index + 1 < times.count { members += timing(rows.map { $0[index].easing }, padding: suffix.count) }
            return .object(members)
        }
        return .object([("a", .number(1)), ("k", .list(keys))])
    }

    private func timing(_ easings: [Easing], padding: Int = 0) -> [(String, JSONNode)] {
        if easings.allSatisfy({ $0.isHold || $0 == .linear }), easings.contains(where: \.isHold) {
            return [("h", .number(1))]
        }
        let all = easings + Array(repeating: easings[0], count: padding)
        func pair(_ x: (Easing) -> Double, _ y: (Easing) -> Double) -> JSONNode {
            .object([("x", .numbers(all.map(x))), ("y", .numbers(all.map(y)))])
        }
        return [("i", pair(\.x2, \.y2)), ("o", pair(\.x1, \.y1))]
    }
}

/// The trim of an ellipse that shows an arc, in the units of Lottie: percent and degrees.
struct ArcTrim {
    let start: KeyframeCurve
    let end: KeyframeCurve
    let offset: KeyframeCurve

    init(_ object: ReconstructedObject) {
        // Ellipses begin at the top, a quarter turn before the x axis.
        let turn = 2 * Double.pi
        let base = (((object.start.range.lowerBound + turn / 4) / turn + 1e-3).rounded(.down)) * turn - turn / 4
        let isWithinTurn =
            object.start.range.lowerBound >= base - 0.01 && object.end.range.upperBound <= base + turn + 0.02
        if isWithinTurn {
            start = object.start.map { min(100, max(0, ($0 - base) / turn * 100)) }
            end = object.end.map { min(100, max(0, ($0 - base) / turn * 100)) }
            offset = KeyframeCurve(constant: 0)
        } else {
            start = KeyframeCurve(constant: 0)
            end = object.extent.map { min(100, max(0, $0 / turn * 100)) }
            offset = object.start.map { ($0 + turn / 4) * 180 / .pi }
        }
    }
}
