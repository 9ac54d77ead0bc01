import Animations
import Core
import Render

/// A builder of models with changed values.
struct ModelBuilder: Sendable {
    /// The loader that the user requested.
    let request: LoaderRequest
    let elements: LoaderElements
    /// The constants and ranges of the layers of a Lottie file, as designed.
    var layerValues: [LayerProperty: Double] = [:]

    private var definition: LoaderDefinition { request.definition }
    private var settings: [String] { request.settings }

    /// Returns the loader with additional settings; nil if they are not valid.
    func loader(_ changed: [String: String]) -> (any Loader)? {
        var request = request
        request.settings += changed.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return try? LoaderRenderer(request).loader
    }

    /// Returns the value of a parameter as text.
    func text(of parameter: any LoaderParameter, _ model: LoaderModel) -> String {
        if let changed = model.settings[parameter.name] { return changed }
        let prefix = parameter.name + "="
        return settings.last { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            ?? parameter.defaultText
    }

    /// Returns the loader with each of its numeric and colour parameters changed a little.
    func parameterVariants() -> [(parameter: String, loader: any Loader)] {
        guard let design = loader([:]) else { return [] }
        let model = LoaderModel(
            loader: design, pose: ModelPose(scale: 1, origin: .zero, start: 0, speed: 1), background: .white)
        return definition.parameters.compactMap { parameter in
            let name = parameter.name
            if let color = color(name, model) {
                let other = Color(red: 1 - color.red, green: 1 - color.green, blue: color.blue)
                return loader([name: other.hexString]).map { (name, $0) }
            }
            guard parameter is Parameter<Double>, let value = number(name, model) else { return nil }
            let changed = loader([name: Self.text(value * 1.05 + 0.01)]) ?? loader([name: Self.text(value * 0.95)])
            return changed.map { (name, $0) }
        }
    }

    func parameter(_ name: String) -> (any LoaderParameter)? { definition.parameters.first { $0.name == name } }

    /// Returns the value of a numeric parameter, or the maximum distance of a gesture; nil for
    /// others.
    func number(_ name: String, _ model: LoaderModel) -> Double? {
        guard let parameter = parameter(name) else { return nil }
        let value = text(of: parameter, model)
        if parameter is Parameter<Gesture> { return gesture(name, model)?.maxDistance }
        if parameter is Parameter<Double> { return Double(value) }
        if parameter is Parameter<Rational> { return Rational(text: value)?.double }
        return nil
    }

    /// Returns the value of a gesture parameter; nil if it is not one.
    func gesture(_ name: String, _ model: LoaderModel) -> Gesture? {
        guard let parameter = parameter(name), parameter is Parameter<Gesture> else { return nil }
        return try? Gesture(text: text(of: parameter, model))
    }

    /// Returns the value of a colour parameter; nil if it is not one.
    func color(_ name: String, _ model: LoaderModel) -> Color? {
        guard let parameter = parameter(name), parameter is Parameter<Color> else { return nil }
        return Color(css: text(of: parameter, model))
    }

    /// Returns the unit of a numeric parameter: `pt`, `s`, or empty.
    func unit(_ name: String) -> String {
        guard let parameter = parameter(name) else { return "" }
        if parameter is Parameter<Gesture> || parameter.limits.hasSuffix("pt") { return "pt" }
        return parameter.limits.hasSuffix(" s") ? "s" : ""
    }

    /// Returns true if a numeric parameter has a duration, in seconds or in cycles.
    func isTiming(_ name: String) -> Bool {
        unit(name) == "s" || parameter(name)?.limits.hasSuffix("of a cycle") == true
    }

    /// Returns a parameter's text for another number. All distances of a gesture change in
    /// proportion.
    private func text(_ name: String, _ value: Double, _ model: LoaderModel) -> String {
        guard let gesture = gesture(name, model), gesture.maxDistance > 0, value > 0,
            let changed = try? Gesture(
                gesture.keyframes.map { .init($0.time, $0.distance * value / gesture.maxDistance, $0.timing) })
        else { return Self.text(value) }
        return changed.description
    }

    /// Returns a number as a parameter's text: a decimal with at most six places.
    static func text(_ value: Double) -> String { NumberText.decimal(value, places: 6) }

    /// Returns the colour of an element; nil if it has none, or several.
    func color(of element: Int, _ model: LoaderModel) -> Color? {
        let changed = model.edits.reversed().lazy.compactMap { edit -> Color? in
            guard edit.element == element, case .recolor(let color) = edit.change else { return nil }
            return color
        }
        return changed.first ?? elements.colors[element]
    }

    /// Returns a model with a value changed by `delta`; nil if there is none.
    func changed(_ model: LoaderModel, _ variable: FitVariable, by delta: Double) -> LoaderModel? {
        var result = model
        switch variable {
        case .originX: result.pose.origin.x += delta
        case .originY: result.pose.origin.y += delta
        case .start: result.pose.start += delta
        case .speed: result.pose.speed += delta
        case .scale:
            guard model.pose.scale + delta > 0 else { return nil }
            let middle = Point(model.loader.canvas.width / 2, model.loader.canvas.height / 2)
            result.pose.scale += delta
            result.pose.origin = result.pose.origin - middle * delta
        case .number(let name):
            guard let value = number(name, model) else { return nil }
            return with(name, text(name, value + delta, model), model)
        case .channel(let name, let channel):
            guard let color = color(name, model)?.adding(delta, to: channel) else { return nil }
            return with(name, color.hexString, model)
        case .layerProperties(let properties): return changed(model, properties, by: delta)
        default: return edited(model, variable, delta)
        }
        return result
    }

    /// Returns a model without the change that a hypothesis describes; nil if there is none.
    func without(_ hypothesis: Hypothesis, _ model: LoaderModel, _ design: LoaderModel) -> LoaderModel? {
        var result = model
        if let edit = hypothesis.edit {
            result.edits.removeAll { $0.element == edit.element && $0.change.kinds.contains(hypothesis.kind) }
            return result
        }
        switch hypothesis.kind {
        case .size: return changed(model, .scale, by: design.pose.scale - model.pose.scale)
        case .speed: result.pose.speed = design.pose.speed
        case .parameter, .easing:
            if let name = hypothesis.object { result.settings[name] = nil }
            guard let loader = loader(result.settings, model.layerValues) else { return nil }
            result.loader = loader
        case .cornerRadius, .anchorPoint, .amplitude: return without(layerValuesOf: hypothesis, model)
        default:
            let element = elements.names.firstIndex { $0 == hypothesis.object }
            result.edits.removeAll { $0.element == element && $0.change.kinds.contains(hypothesis.kind) }
        }
        return result
    }

    /// Returns a model with another value of a parameter, as text; nil if it is not valid.
    func with(_ name: String, _ text: String, _ model: LoaderModel) -> LoaderModel? {
        var result = model
        result.settings[name] = text
        guard let loader = loader(result.settings, model.layerValues) else { return nil }
        result.loader = loader
        return result
    }

    /// Returns a model with a named timing function in place of those of its keyframes; nil if it
    /// has none.
    func eased(_ name: String, _ model: LoaderModel) -> LoaderModel? {
        guard let timing = TimingFunction.named.first(where: { $0.name == name })?.function,
            let loader = (loader(model.settings, model.layerValues) as? any KeyframedLoader)?.eased(timing)
        else { return nil }
        var result = model
        result.loader = loader
        return result
    }

    private func edited(_ model: LoaderModel, _ variable: FitVariable, _ delta: Double) -> LoaderModel? {
        var result = model
        let edit: ElementEdit
        switch variable {
        case .elementX(let element): edit = ElementEdit(element: element, change: .move(Point(delta, 0)))
        case .elementY(let element): edit = ElementEdit(element: element, change: .move(Point(0, delta)))
        case .elementSize(let element): edit = ElementEdit(element: element, change: .resize(exp(delta)))
        case .elementLineWidth(let element): edit = ElementEdit(element: element, change: .widen(exp(delta)))
        case .elementOpacity(let element): edit = ElementEdit(element: element, change: .fade(1 + delta))
        case .elementDelay(let element): edit = ElementEdit(element: element, change: .delay(delta))
        case .elementChannel(let element, let channel):
            guard let color = color(of: element, model)?.adding(delta, to: channel) else { return nil }
            edit = ElementEdit(element: element, change: .recolor(color))
        default: return nil
        }
        result.edits = Self.merged(result.edits, edit)
        return result
    }

    /// Combines an edit with an earlier one of the same kind, so that the list stays short.
    private static func merged(_ edits: [ElementEdit], _ new: ElementEdit) -> [ElementEdit] {
        var edits = edits
        for index in edits.indices where edits[index].element == new.element {
            switch (edits[index].change, new.change) {
            case (.move(let a), .move(let b)): edits[index].change = .move(a + b)
            case (.resize(let a), .resize(let b)): edits[index].change = .resize(a * b)
            case (.widen(let a), .widen(let b)): edits[index].change = .widen(a * b)
            case (.fade(let a), .fade(let b)): edits[index].change = .fade(max(0, a + b - 1))
            case (.delay(let a), .delay(let b)): edits[index].change = .delay(a + b)
            case (.recolor, .recolor(let b)): edits[index].change = .recolor(b)
            default: continue
            }
            return edits
        }
        return edits + [new]
    }
}

extension Color {
    /// Returns the colour with a channel, 0...2, changed within 0...1.
    func adding(_ delta: Double, to channel: Int) -> Color {
        var color = self
        let path = [\Color.red, \Color.green, \Color.blue][channel]
        color[keyPath: path] = min(1, max(0, color[keyPath: path] + delta))
        return color
    }
}

extension Gesture {
    /// Returns the gesture with another timing function in the interval before a keyframe.
    func with(_ timing: TimingFunction, at index: Int) -> Gesture? {
        var changed = keyframes
        changed[index] = Keyframe(changed[index].time, changed[index].distance, timing)
        return try? Gesture(changed)
    }
}
