extension PresetClip {
    /// The cost of rendering the clip, as the number of pixels drawn and encoded: equal on all
    /// machines.
    package var cost: Int { outputs.reduce(0) { $0 + $1.cost } }
}

extension PresetOutput {
    /// The cost of rendering the output, as the number of pixels drawn and encoded.
    var cost: Int { plan.framesToEncode * plan.width * plan.height }
}
