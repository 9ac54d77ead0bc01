/// Looks at a clip's transparency: whether there is any, and whether colours are straight or multiplied by it.
///
/// At the edge of an object a pixel that is half transparent has the object's colour where alpha is straight, and half of it
/// where it is premultiplied. So the colours of such pixels are compared with that of the nearest opaque one.
struct AlphaCheck {
    /// How colours and alpha go together.
    enum Kind: String {
        case straight, premultiplied
        /// Nothing tells, as where objects are black.
        case unknown
    }

    private(set) var isUsed = false
    /// Distances of edges' colours from those beside them, as they are and multiplied by alpha, and how many edges there were.
    private var (straightError, multipliedError, edgeCount) = (0, 0, 0)

    private static let enough = 24

    /// Takes a picture's pixels, not multiplied by alpha.
    mutating func add(_ rgba: [UInt8], width: Int, height: Int) {
        rgba.withUnsafeBufferPointer { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let place = 4 * (y * width + x)
                    let alpha = pixels[place + 3]
                    guard alpha != 255 else { continue }
                    isUsed = true
                    guard (24..<232).contains(alpha), x >= 2, y >= 2, x < width - 2, y < height - 2 else { continue }
                    compare(pixels, place, width)
                }
            }
        }
    }

    private mutating func compare(_ pixels: UnsafeBufferPointer<UInt8>, _ place: Int, _ width: Int) {
        let beside = [4, -4, 4 * width, -4 * width, 8, -8, 8 * width, -8 * width]
        guard let step = beside.first(where: { pixels[place + $0 + 3] >= 250 }) else { return }
        // By luma, since video has fewer samples of chroma, which mix with what is beside.
        func luma(_ place: Int) -> Int {
            2 * Int(pixels[place]) + 7 * Int(pixels[place + 1]) + Int(pixels[place + 2])
        }
        let (color, opaque) = (luma(place), luma(place + step))
        straightError += abs(color - opaque)
        multipliedError += abs(color - opaque * Int(pixels[place + 3]) / 255)
        edgeCount += 1
    }

    var kind: Kind {
        guard edgeCount >= Self.enough, abs(straightError - multipliedError) > 100 * edgeCount else { return .unknown }
        if multipliedError * 5 < straightError * 2 { return .premultiplied }
        return straightError < multipliedError ? .straight : .unknown
    }
}
