import Core

/// A writer that formats a reconstruction as an HTML fragment: an SVG drawing animated by CSS
/// keyframes.
package struct StyleSheetWriter {
    private let clip: Reconstruction

    package init(_ clip: Reconstruction) { self.clip = clip }

    /// The fragment. Equal reconstructions give equal text.
    package var text: String {
        var rules: [String] = []
        var elements: [String] = []
        for (index, object) in clip.layers.enumerated() {
            let part = element(object, "o\(index + 1)")
            rules += part.rules
            elements.append(part.markup)
        }
        let width = "\(clip.width)"
        let height = "\(clip.height)"
        return """
            <svg class="loader" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)">
            <style>
            .loader { background: \(clip.background.hexString.prefix(7)); }
            .loader * { transform-box: view-box; transform-origin: 0 0; }
            \(rules.joined(separator: "\n"))
            </style>
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    /// One animated CSS property: its values at the times of common keyframes.
    private struct Animation {
        var property: String
        var curves: [KeyframeCurve]
        var value: ([Double]) -> String
    }

    private func element(_ object: ReconstructedObject, _ id: String) -> (markup: String, rules: [String]) {
        var rules: [String] = []
        func group(_ suffix: String, _ animation: Animation, _ content: String) -> String {
            let (declaration, frames) = rule("\(id)-\(suffix)", animation)
            rules.append(".loader .\(id)-\(suffix) { \(declaration) }" + frames)
            return "<g class=\"\(id)-\(suffix)\">\(content)</g>"
        }
        var content = shape(object, id, &rules)
        if object.kind == .outline {
            content = group(
                "scale", Animation(property: "scale", curves: [object.width]) { css($0[0]) }, content)
        }
        if object.kind != .morph {
            let turn = Animation(property: "rotate", curves: [object.rotation]) { css($0[0] * 180 / .pi) + "deg" }
            if !object.rotation.isConstant || object.rotation.first != 0 { content = group("turn", turn, content) }
            // Separate groups let both directions have keyframes of their own.
            content = group("y", Animation(property: "translate", curves: [object.y]) { "0 \(css($0[0]))px" }, content)
            content = group("x", Animation(property: "translate", curves: [object.x]) { "\(css($0[0]))px 0" }, content)
        }
        return ("<!-- \(object.name.xml) -->\n" + content, rules)
    }

    private func shape(_ object: ReconstructedObject, _ id: String, _ rules: inout [String]) -> String {
        let colors = [object.red, object.green, object.blue]
        func color(_ values: [Double]) -> String {
            "rgb(" + values.map { decimalText($0 * 255, places: 0) }.joined(separator: ", ") + ")"
        }
        let isLine = object.kind.isArc || object.kind == .ring
        var animations = [
            Animation(property: isLine ? "stroke" : "fill", curves: colors, value: color),
            Animation(property: "opacity", curves: [object.opacity]) { css($0[0]) },
        ]
        var markup: String
        switch object.kind {
        case .circle, .ellipse, .ring, .arc, .roundArc:
            markup = "<ellipse class=\"\(id)\""
            animations.append(Animation(property: "rx", curves: [object.width]) { css($0[0] / 2) + "px" })
            animations.append(Animation(property: "ry", curves: [object.height]) { css($0[0] / 2) + "px" })
        case .rectangle:
            markup = "<rect class=\"\(id)\""
            animations.append(Animation(property: "rx", curves: [object.cornerRadii]) { css($0[0]) + "px" })
            animations.append(Animation(property: "width", curves: [object.width]) { css($0[0]) + "px" })
            animations.append(Animation(property: "height", curves: [object.height]) { css($0[0]) + "px" })
            animations.append(Animation(property: "x", curves: [object.width]) { css(-$0[0] / 2) + "px" })
            animations.append(Animation(property: "y", curves: [object.height]) { css(-$0[0] / 2) + "px" })
        case .outline:
            markup = "<path class=\"\(id)\" fill-rule=\"evenodd\" d=\"\(path(object.outline))\""
        case .morph: return morph(object, id, animations, &rules)
        }
        if isLine { animations += line(object, &markup) }
        rules += declarations(id, animations)
        return markup + "/>"
    }

    /// Returns the animations of a line's width and of the part of the circle that it covers.
    private func line(_ object: ReconstructedObject, _ markup: inout String) -> [Animation] {
        markup += " fill=\"none\" pathLength=\"1\""
        var animations = [Animation(property: "stroke-width", curves: [object.lineWidth]) { css($0[0]) + "px" }]
        guard object.kind.isArc else { return animations }
        markup += object.kind == .roundArc ? " stroke-linecap=\"round\"" : ""
        let turn = 2 * Double.pi
        animations.append(
            Animation(property: "stroke-dasharray", curves: [object.extent]) {
                "\(css(max(0, $0[0] / turn))) 2"
            })
        // SVG's ellipses begin on the right, as the angles do.
        animations.append(Animation(property: "rotate", curves: [object.start]) { css($0[0] * 180 / .pi) + "deg" })
        return animations
    }

    private func morph(
        _ object: ReconstructedObject, _ id: String, _ animations: [Animation], _ rules: inout [String]
    ) -> String {
        let frames = object.outlineKeys(until: clip.duration).map { key in
            let hold = key.isHold ? " animation-timing-function: step-end;" : ""
            return "\(percent(key.time)) { d: path(\"\(path(key.contours))\");\(hold) }"
        }
        rules.append("@keyframes \(id)-d { " + frames.joined(separator: " ") + " }")
        let others = declarations(id, animations)
        rules += others
        rules.append(".loader .\(id)-d { animation: \(id)-d \(css(clip.duration))s linear \(iterations); }")
        return
            "<g class=\"\(id)\"><path class=\"\(id)-d\" fill-rule=\"evenodd\" d=\"\(path(object.morph[0].contours))\"/></g>"
    }

    // MARK: Rules

    private func declarations(_ id: String, _ animations: [Animation]) -> [String] {
        var constants: [String] = []
        var names: [String] = []
        var frames: [String] = []
        for animation in animations {
            guard animation.curves.contains(where: { !$0.isConstant }) else {
                constants.append("\(animation.property): \(animation.value(animation.curves.map(\.first)));")
                continue
            }
            // The groups around the element have names of their own, such as `o1-x`.
            let name = "\(id)-own-\(animation.property)"
            names.append("\(name) \(css(clip.duration))s linear \(iterations)")
            frames.append(keyframes(name, animation))
        }
        if !names.isEmpty { constants.append("animation: " + names.joined(separator: ", ") + ";") }
        return [".loader .\(id) { " + constants.joined(separator: " ") + " }"] + frames
    }

    private func rule(_ name: String, _ animation: Animation) -> (declaration: String, frames: String) {
        guard animation.curves.contains(where: { !$0.isConstant }) else {
            return ("\(animation.property): \(animation.value(animation.curves.map(\.first)));", "")
        }
        return (
            "animation: \(name) \(css(clip.duration))s linear \(iterations);", "\n" + keyframes(name, animation)
        )
    }

    private var iterations: String { clip.isLoop ? "infinite" : "forwards" }

    private func keyframes(_ name: String, _ animation: Animation) -> String {
        // The keyframes of a CSS property have one timing function for all of its numbers.
        let times = clip.keyTimes(of: animation.curves)
        let rows = animation.curves.map { $0.subdivided(at: times) }
        let values = times.indices.map { index in animation.value(rows.map { $0[index].value }) }
        let frames = times.indices.map { index -> String in
            let isMotion = index + 1 < times.count && values[index] != values[index + 1]
            let easing = isMotion ? " animation-timing-function: \(rows.easing(at: index).css);" : ""
            return "\(percent(times[index])) { \(animation.property): \(values[index]);\(easing) }"
        }
        return "@keyframes \(name) { " + frames.joined(separator: " ") + " }"
    }

    private func percent(_ time: Double) -> String { css(min(100, 100 * time / clip.duration)) + "%" }

    private func path(_ contours: [[Point]]) -> String {
        contours.map { contour in
            "M"
                + contour.map { "\(decimalText($0.x, places: 2)) \(decimalText($0.y, places: 2))" }.joined(
                    separator: "L")
                + "Z"
        }.joined()
    }
}

/// Returns a number for CSS.
private func css(_ value: Double) -> String { decimalText(value) }

extension Easing {
    /// The timing function in CSS.
    var css: String {
        if isHold { return "step-end" }
        if self == .linear { return "linear" }
        return "cubic-bezier(" + [x1, y1, x2, y2].map { decimalText($0, places: 3) }.joined(separator: ", ") + ")"
    }
}
