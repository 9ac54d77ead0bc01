extension Field {
    /// Returns the matte that a layer's Set Matte effect takes from another layer; nil without one.
    /// Records a channel other than alpha and luminance as unsupported.
    func setMatte() throws -> (source: Int, isLuma: Bool, isInverted: Bool)? {
        for effect in self["ef"]?.items ?? [] where try effect.integer("ty") == EffectKind.setMatte {
            guard try effect.number("en", or: 1) != 0 else { continue }
            let values: [Property<Double>] = try (effect["ef"]?.items ?? []).prefix(3).map {
                try $0.property("v", or: 0)
            }
            guard let source = values.first else { continue }
            // The menu has red, green, blue, alpha and luminance first.
            let channel = values.count > 1 ? values[1].initial.rounded() : 4
            guard [4, 5].contains(channel), values.allSatisfy(\.isConstant) else {
                effect.reportUnsupported("a Set Matte effect with a channel other than alpha or luminance")
                continue
            }
            return (Int(source.initial.rounded()), channel == 5, values.count > 2 && values[2].initial != 0)
        }
        return nil
    }
}
