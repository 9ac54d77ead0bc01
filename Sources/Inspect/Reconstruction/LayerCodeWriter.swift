import Core

/// A writer that formats a reconstruction as Swift code, which makes a layer tree for Core
/// Animation.
package struct LayerCodeWriter {
    private let clip: Reconstruction
    /// The duration in seconds of a jump after a held value: Core Animation cannot hold some values
    /// and interpolate others, so the value has a second keyframe this long before the next one.
    private static let jump = 1e-4

    package init(_ clip: Reconstruction) { self.clip = clip }

    /// The code. Equal reconstructions give equal text.
    package var text: String {
        let objects = clip.layers
        let layers = objects.enumerated().map { layer($0.element, "layer\($0.offset + 1)") }
        let hasEasing = objects.contains { !$0.animatedCurves.isEmpty }
        let repeatCount = clip.isLoop ? ".infinity" : "1"
        return """
            import QuartzCore

            /// Returns the loader: \(layers.count) layer\(layers.count == 1 ? "" : "s").
            func makeLoaderLayer() -> CALayer {
                let duration: CFTimeInterval = \(decimalText(clip.duration))

                func animate(
                    _ layer: CALayer, _ keyPath: String, _ values: [Any], _ keyTimes: [Double],
                    _ timingFunctions: [CAMediaTimingFunction]
                ) {
                    let animation = CAKeyframeAnimation(keyPath: keyPath)
                    animation.values = values
                    animation.keyTimes = keyTimes.map { NSNumber(value: $0) }
                    animation.timingFunctions = timingFunctions.isEmpty ? nil : timingFunctions
                    animation.duration = duration
                    animation.repeatCount = \(repeatCount)
                    animation.fillMode = .forwards
                    animation.isRemovedOnCompletion = false
                    layer.add(animation, forKey: keyPath)
                }
            \(hasEasing ? timingHelper : "")
                let loader = CALayer()
                loader.bounds = CGRect(x: 0, y: 0, width: \(clip.width), height: \(clip.height))
                loader.backgroundColor = \(color(clip.background))

            \(layers.joined(separator: "\n\n"))

                return loader
            }

            """
    }

    private var timingHelper: String {
        """

            func timing(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float) -> CAMediaTimingFunction {
                CAMediaTimingFunction(controlPoints: x1, y1, x2, y2)
            }

        """
    }

    private func layer(_ object: ReconstructedObject, _ name: String) -> String {
        var lines = ["// \(object.name.visible)", "let \(name) = CAShapeLayer()"]
        let isLine = object.kind.isArc || object.kind == .ring
        lines.append("\(name).\(isLine ? "strokeColor" : "fillColor") = \(color(object.color))")
        if isLine {
            lines.append("\(name).fillColor = nil")
            lines.append("\(name).lineWidth = \(decimalText(object.lineWidth.first))")
            if object.kind == .roundArc { lines.append("\(name).lineCap = .round") }
        }
        if object.kind == .outline || object.kind == .morph { lines.append("\(name).fillRule = .evenOdd") }
        lines += path(object, name)
        if object.kind != .morph {
            let (x, y) = (decimalText(object.x.first), decimalText(object.y.first))
            lines.append("\(name).position = CGPoint(x: \(x), y: \(y))")
            lines += animation(name, "position.x", object.x)
            lines += animation(name, "position.y", object.y)
            if !object.kind.isArc { lines += transform("rotation.z", object.rotation, unless: 0, name) }
        }
        lines += opacity(object, name)
        if isLine { lines += animation(name, "lineWidth", object.lineWidth) }
        lines += colorAnimation(object, name, isLine ? "strokeColor" : "fillColor")
        lines.append("loader.addSublayer(\(name))")
        return lines.map { "    " + $0 }.joined(separator: "\n")
    }

    /// Returns the lines that animate a part of the layer's transform, or set it unless it has its
    /// default value.
    private func transform(_ part: String, _ curve: KeyframeCurve, unless usual: Double, _ name: String) -> [String] {
        let keyPath = "transform.\(part)"
        guard curve.isConstant else { return animation(name, keyPath, curve) }
        guard curve.first != usual else { return [] }
        return ["\(name).setValue(\(decimalText(curve.first)), forKeyPath: \"\(keyPath)\")"]
    }

    private func opacity(_ object: ReconstructedObject, _ name: String) -> [String] {
        guard object.opacity.isConstant else { return animation(name, "opacity", object.opacity) }
        guard object.opacity.first != 1 else { return [] }
        return ["\(name).opacity = \(decimalText(object.opacity.first))"]
    }

    /// Returns the lines that set and animate the path and its scale.
    private func path(_ object: ReconstructedObject, _ name: String) -> [String] {
        switch object.kind {
        case .circle, .ellipse, .ring, .rectangle: return sizedPath(object, name)
        case .arc, .roundArc: return sizedPath(object, name) + trim(object, name)
        case .outline:
            return ["\(name).path = \(path(object.outline))"]
                + transform("scale.x", object.width, unless: 1, name)
                + transform("scale.y", object.height, unless: 1, name)
        case .morph: return morph(object, name)
        }
    }

    /// Returns the lines that set and animate the path itself, because a scale of the layer would
    /// stretch its line and its corners, too.
    private func sizedPath(_ object: ReconstructedObject, _ name: String) -> [String] {
        let curves = [object.width, object.height, object.cornerRadii]
        func path(_ values: [Double]) -> String {
            object.kind.isArc
                ? turn(diameter: values[0])
                : box(object, Size(values[0], values[1]), cornerRadius: values[2])
        }
        let first = "\(name).path = \(path(curves.map(\.first)))"
        guard curves.contains(where: { !$0.isConstant }) else { return [first] }
        return [first] + animation(name, "path", curves, path)
    }

    /// Returns the path of an ellipse or rectangle. Core Animation interpolates only between paths
    /// with the same segments, so an object with corners keeps them at any size. Core Graphics
    /// stops the program if they are larger than the rectangle.
    private func box(_ object: ReconstructedObject, _ size: Size, cornerRadius: Double) -> String {
        let hasCorners = object.kind == .rectangle && object.cornerRadius > 0
        let least = hasCorners ? 0.01 : 0
        let size = Size(max(least, size.width), max(least, size.height))
        let rect =
            "CGRect(x: \(decimalText(-size.width / 2)), y: \(decimalText(-size.height / 2)), "
            + "width: \(decimalText(size.width)), height: \(decimalText(size.height)))"
        guard object.kind == .rectangle else { return "CGPath(ellipseIn: \(rect), transform: nil)" }
        let fitted = min(cornerRadius, size.width / 2 - 0.001, size.height / 2 - 0.001)
        let radius = decimalText(hasCorners ? max(0.001, fitted) : 0)
        return "CGPath(roundedRect: \(rect), cornerWidth: \(radius), cornerHeight: \(radius), transform: nil)"
    }

    /// Returns the path of an arc: a whole turn from the top, which is trimmed.
    private func turn(diameter: Double) -> String {
        "{ let path = CGMutablePath(); path.addArc(center: .zero, radius: \(decimalText(max(0.001, diameter / 2))), "
            + "startAngle: -.pi / 2, endAngle: 1.5 * .pi, clockwise: false); return path }()"
    }

    /// Returns the lines that trim an arc's path by `strokeStart` and `strokeEnd`.
    private func trim(_ object: ReconstructedObject, _ name: String) -> [String] {
        let trim = ArcTrim(object)
        return [
            "\(name).strokeStart = \(decimalText(trim.start.first / 100))",
            "\(name).strokeEnd = \(decimalText(trim.end.first / 100))",
            "\(name).setValue(\(decimalText(trim.offset.first * .pi / 180)), forKeyPath: \"transform.rotation.z\")",
        ] + animation(name, "strokeStart", trim.start.map { $0 / 100 })
            + animation(name, "strokeEnd", trim.end.map { $0 / 100 })
            + animation(name, "transform.rotation.z", trim.offset.map { $0 * .pi / 180 })
    }

    private func morph(_ object: ReconstructedObject, _ name: String) -> [String] {
        let keys = object.outlineKeys(until: clip.duration)
        var (values, times): ([String], [String]) = ([], [])
        for (index, key) in keys.enumerated() {
            values.append("    " + path(key.contours))
            times.append(keyTime(key.time))
            guard key.isHold, index + 1 < keys.count else { continue }
            values.append("    " + path(key.contours))
            times.append(keyTime(max(key.time, keys[index + 1].time - Self.jump)))
        }
        return [
            "\(name).path = \(path(object.morph[0].contours))",
            "animate(\(name), \"path\", [", values.joined(separator: ",\n    "),
            "], [\(times.joined(separator: ", "))], [])",
        ]
    }

    private func path(_ contours: [[Point]]) -> String {
        let calls = contours.map { contour in
            "path.addLines(between: ["
                + contour.map {
                    "CGPoint(x: \(decimalText($0.x, places: 2)), y: \(decimalText($0.y, places: 2)))"
                }.joined(separator: ", ") + "]); path.closeSubpath()"
        }
        return "{ let path = CGMutablePath(); \(calls.joined(separator: "; ")); return path }()"
    }

    // MARK: Animations

    private func animation(_ layer: String, _ keyPath: String, _ curve: KeyframeCurve) -> [String] {
        guard !curve.isConstant else { return [] }
        return animation(layer, keyPath, [curve]) { decimalText($0[0]) }
    }

    private func colorAnimation(_ object: ReconstructedObject, _ layer: String, _ keyPath: String) -> [String] {
        let curves = [object.red, object.green, object.blue]
        guard curves.contains(where: { !$0.isConstant }) else { return [] }
        return animation(layer, keyPath, curves) { color(Color(red: $0[0], green: $0[1], blue: $0[2])) }
    }

    private func animation(
        _ layer: String, _ keyPath: String, _ curves: [KeyframeCurve], _ value: ([Double]) -> String
    ) -> [String] {
        let times = clip.keyTimes(of: curves)
        let rows = curves.map { $0.subdivided(at: times) }
        let texts = times.indices.map { index in value(rows.map { $0[index].value }) }
        var (values, keyTimes, timings): ([String], [String], [String]) = ([], [], [])
        for index in times.indices {
            values.append(texts[index])
            keyTimes.append(keyTime(times[index]))
            guard index + 1 < times.count else { continue }
            let easing = rows.easing(at: index)
            let isRest = easing.isHold || texts[index] == texts[index + 1]
            timings.append(timingCall(isRest ? .linear : easing))
            guard easing.isHold else { continue }
            values.append(texts[index])
            keyTimes.append(keyTime(max(times[index], times[index + 1] - Self.jump)))
            timings.append(timingCall(.linear))
        }
        return [
            "animate(", "    \(layer), \"\(keyPath)\", [\(values.joined(separator: ", "))],",
            "    [\(keyTimes.joined(separator: ", "))],", "    [\(timings.joined(separator: ", "))])",
        ]
    }

    private func timingCall(_ easing: Easing) -> String {
        let numbers = [easing.x1, easing.y1, easing.x2, easing.y2].map { decimalText($0, places: 3) }
        return "timing(" + numbers.joined(separator: ", ") + ")"
    }

    private func keyTime(_ time: Double) -> String { decimalText(min(1, max(0, time / clip.duration)), places: 6) }

    private func color(_ color: Color) -> String {
        let parts = [color.red, color.green, color.blue].map { decimalText($0) }
        return "CGColor(srgbRed: \(parts[0]), green: \(parts[1]), blue: \(parts[2]), alpha: 1)"
    }
}
