import Core

// Effects that change each channel by a curve.
extension LayerEffect.Values {
    /// The tables of the effect.
    var curves: ChannelCurves {
        var curves = ChannelCurves()
        switch effect.kind {
        case .levels: easyLevels(&curves)
        case .channelLevels: channelLevels(&curves)
        case .brightness: setColors(&curves, table: brightness)
        case .invert:
            let original = share(1)
            let table = ChannelCurves.table { lerp(1 - $0, $0, original) }
            switch number(0, or: 1).rounded() {
            case 2: curves.red = table
            case 3: curves.green = table
            case 4: curves.blue = table
            default: setColors(&curves, table: table)
            }
        default: break
        }
        return curves
    }

    private func setColors(_ curves: inout ChannelCurves, table: [UInt8]) {
        curves.red = table
        curves.green = table
        curves.blue = table
    }

    /// Levels: one channel (1 for red, green and blue together, then red, green, blue and alpha).
    private func easyLevels(_ curves: inout ChannelCurves) {
        let table = levels(at: 2)
        switch number(0, or: 1).rounded() {
        case 2: curves.red = table
        case 3: curves.green = table
        case 4: curves.blue = table
        case 5: curves.alpha = table
        default: setColors(&curves, table: table)
        }
    }

    /// Levels (Individual Controls): each channel by its own levels, and then colours by common
    /// ones.
    private func channelLevels(_ curves: inout ChannelCurves) {
        let common = levels(at: 3)
        func then(_ index: Int) -> [UInt8] { levels(at: index).map { common[Int($0)] } }
        curves.red = then(10)
        curves.green = then(17)
        curves.blue = then(24)
        curves.alpha = levels(at: 31)
    }

    /// Returns the table of input black, input white, gamma, output black and output white, which
    /// start at an index.
    private func levels(at index: Int) -> [UInt8] {
        let black = number(index)
        let white = number(index + 1, or: 1)
        let gamma = max(number(index + 2, or: 1), 1e-3)
        let low = number(index + 3)
        let high = number(index + 4, or: 1)
        return ChannelCurves.table { value in
            guard white != black else { return value < black ? low : high }
            return lerp(low, high, pow(clamp01((value - black) / (white - black)), 1 / gamma))
        }
    }

    /// Brightness & Contrast: with Use Legacy, a shift and a slope about the middle; else curves
    /// that keep black and white, which After Effects does not document.
    private var brightness: [UInt8] {
        let brightness = number(0) / 255
        let contrast = min(max(number(1) / 100, -1), 0.99)
        guard number(2) == 0 else {
            let slope = contrast < 0 ? 1 + contrast : 1 / (1 - contrast)
            return ChannelCurves.table { ($0 - 0.5) * slope + 0.5 + brightness }
        }
        let exponent = pow(2, -2 * brightness)
        return ChannelCurves.table { value in
            let bright = pow(value, exponent)
            return bright + contrast * (bright * bright * (3 - 2 * bright) - bright)
        }
    }
}
