import Presets

extension PresetClip {
    /// What rendering the clip costs, in pixels that are drawn and encoded: the same on every machine.
    public var cost: Int {
        outputs.reduce(0) { $0 + $1.plan.framesToEncode * $1.plan.stage.width * $1.plan.stage.height }
    }
}
