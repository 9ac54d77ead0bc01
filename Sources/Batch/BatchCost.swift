import Presets

extension PresetClip {
    /// What rendering the clip costs, in pixels that are drawn and encoded: the same on every machine.
    public var cost: Int { outputs.reduce(0) { $0 + $1.cost } }
}

extension PresetOutput {
    /// What rendering the output costs, in pixels that are drawn and encoded.
    var cost: Int { plan.framesToEncode * plan.width * plan.height }
}
