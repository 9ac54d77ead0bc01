import CLibAV
import Core

/// The colour gamut of a stream's frames.
public enum ColorGamut: String, Sendable, Hashable, CaseIterable {
    /// BT.709, whose primaries are also sRGB's. The transfer is tagged as BT.709, as is common
    /// practice for sRGB content in video.
    case bt709
    /// Display P3: the primaries of DCI-P3 with the white point and transfer function of sRGB.
    case p3

    /// The primaries in libav.
    var primaries: AVColorPrimaries { self == .bt709 ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE432 }

    /// The transfer characteristic in libav.
    var transfer: AVColorTransferCharacteristic { self == .bt709 ? AVCOL_TRC_BT709 : AVCOL_TRC_IEC61966_2_1 }
}

/// A converter of sRGB pixels to Display P3 in linear light, rounded to the nearest code.
struct DisplayP3 {
    /// The matrix from linear sRGB to linear Display P3, by rows. Both have the white point D65, so
    /// greys do not change.
    private static let matrix: [(Double, Double, Double)] = [
        (0.822461968714, 0.177538031286, 0), (0.033194198851, 0.966805801149, 0),
        (0.017082630721, 0.072397440709, 0.910519928570),
    ]

    /// The linear light of each code.
    private static let light = (0..<256).map { SRGB.linear(Double($0) / 255) }

    /// The code of each level of linear light, in steps of 1/65535.
    private static let codes = (0...65535).map { step in
        let light = Double(step) / 65535
        return UInt8((255 * SRGB.encoded(light)).rounded())
    }

    /// The last conversion. Animations have large areas of one colour.
    private var last: (source: (UInt8, UInt8, UInt8), result: (UInt8, UInt8, UInt8)) = ((0, 0, 0), (0, 0, 0))

    /// Converts a straight BGRA pixel in place.
    mutating func convert(_ pixel: UnsafeMutablePointer<UInt8>) {
        let source = (pixel[0], pixel[1], pixel[2])
        if source != last.source {
            let light = (DisplayP3.light[Int(source.2)], DisplayP3.light[Int(source.1)], DisplayP3.light[Int(source.0)])
            let codes = DisplayP3.matrix.map { row in
                DisplayP3.codes[Int((65535 * (row.0 * light.0 + row.1 * light.1 + row.2 * light.2)).rounded())]
            }
            last = (source, (codes[2], codes[1], codes[0]))
        }
        (pixel[0], pixel[1], pixel[2]) = last.result
    }
}
