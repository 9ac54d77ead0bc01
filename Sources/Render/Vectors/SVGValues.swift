import Core

// Values of SVG attributes.
extension CurveTrack {
    /// Returns the `d` attribute of a path with one of the track's values.
    func pathData(_ values: [Double], _ decimal: DecimalText) -> String {
        var text = ""
        var offset = 0
        func add(_ command: String, _ count: Int) {
            text += command
            for index in 0..<count {
                let number = decimal(values[offset + index])
                text += index == 0 || number.first == "-" ? number : " " + number
            }
            offset += count
        }
        for contour in contours {
            add("M", 2)
            for isCurved in contour.isCurved { add(isCurved ? "C" : "L", isCurved ? 6 : 2) }
            if contour.isClosed { text += "Z" }
        }
        return text
    }
}

extension BlendMode {
    /// The value of CSS's `mix-blend-mode`; nil for normal.
    var css: String? {
        switch self {
        case .normal, .destinationIn, .destinationOut, .xor: nil
        case .multiply: "multiply"
        case .screen: "screen"
        case .overlay: "overlay"
        case .darken: "darken"
        case .lighten: "lighten"
        case .colorDodge: "color-dodge"
        case .colorBurn: "color-burn"
        case .hardLight: "hard-light"
        case .softLight: "soft-light"
        case .difference: "difference"
        case .exclusion: "exclusion"
        case .hue: "hue"
        case .saturation: "saturation"
        case .color: "color"
        case .luminosity: "luminosity"
        case .add: "plus-lighter"
        }
    }
}
