extension [PresetOutput] {
    /// Makes the timing of all outputs seamless if only some of them are exact by default, because
    /// the outputs of a clip share its frames.
    mutating func shareTiming() {
        guard Set(map(\.plan.source.timing)).count > 1 else { return }
        for index in indices where self[index].plan.source.timing == .exact {
            let output = self[index]
            var request = output.request
            request.timing = .seamless
            // An output that was planned before can be planned with another timing, too.
            guard
                let other = try? PresetOutput(
                    path: output.path, request: request, location: output.location, options: output.options)
            else { continue }
            self[index] = other
        }
    }
}
