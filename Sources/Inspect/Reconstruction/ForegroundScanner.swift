import Core

/// A scanner that finds the areas of one colour in a frame that stand out from a background of one
/// colour.
struct ForegroundScanner {
    let view: RegionView
    let background: Channels
    /// The difference of a channel, in codes, above which a pixel belongs to an object.
    let threshold: Float
    /// The colours of objects that were seen alone, and the number of frames in which each was.
    private var palette: [(color: Channels, count: Int)] = []
    private var frameCount = 0
    /// A colour beside objects whose contrast is too low for an object, and the number of frames
    /// that show one.
    private var faint: (color: Channels, count: Int)?

    init(view: RegionView, background: Channels, threshold: Float) {
        self.view = view
        self.background = background
        self.threshold = threshold
    }

    /// The minimum area of an object in pixels of the view, chosen to exclude compression noise.
    private static let minArea = 6
    /// The minimum contrast of an object in codes, chosen to exclude ringing beside edges.
    private static let minContrast: Float = 16

    /// The number of frames of which one must show a colour alone for it to be known. Objects that
    /// wholly cover each other show a mixed colour in fewer frames.
    private static let framesPerKnown = 6
    /// The minimum contrast of luma and chroma of a known colour in codes: more than that of
    /// blurred chroma beside an object, for which a grey object would be mistaken.
    private static let minKnown: Float = 13
    /// The maximum number of colours: more than loaders have. Fading objects add many.
    private static let maxPalette = 64

    private var width: Int { view.width }
    private var height: Int { view.height }

    /// Returns the objects of a frame in RGBA.
    mutating func shapes(_ pixels: UnsafeBufferPointer<UInt8>, frame: Int) -> [ObservedShape] {
        var owner = mask(pixels)
        var shapes: [ObservedShape] = []
        var number: Int32 = 1
        frameCount += 1
        var faintColor: Channels?
        let known = palette.filter { $0.count * ForegroundScanner.framesPerKnown >= frameCount }.map(\.color)
        for first in owner.indices where owner[first] == 0 {
            let members = component(from: first, number, &owner)
            if members.count >= ForegroundScanner.minArea {
                let component = ForegroundComponent(
                    members, number: number, owner: owner, pixels: pixels, view: view, background: background,
                    palette: known)
                shapes += component.shapes(
                    frame: frame, minContrast: ForegroundScanner.minContrast, faint: &faintColor)
            }
            number += 1
        }
        if let color = faintColor { faint = (faint?.color ?? color, (faint?.count ?? 0) + 1) }
        for shape in shapes where shape.isAlone && (shape.color - background).planeContrast >= Self.minKnown {
            if let index = palette.firstIndex(where: { ($0.color - shape.color).largest < 10 }) {
                palette[index].count += 1
            } else if palette.count < ForegroundScanner.maxPalette {
                palette.append((shape.color, 1))
            }
        }
        return shapes
    }

    /// The colour of a faint area that is seen beside objects in most frames, such as the track of
    /// a ring; nil if there is none. Objects that fade are faint in fewer frames.
    var faintColor: Channels? {
        guard let faint, 2 * faint.count > frameCount else { return nil }
        return faint.color
    }

    /// Returns 0 for each pixel of an object and -1 for each of the background.
    private func mask(_ pixels: UnsafeBufferPointer<UInt8>) -> [Int32] {
        let low = background - threshold
        let high = background + threshold
        return [Int32](unsafeUninitializedCapacity: width * height) { mask, count in
            for pixel in 0..<width * height {
                let index = 4 * pixel
                let r = Float(pixels[index])
                let g = Float(pixels[index + 1])
                let b = Float(pixels[index + 2])
                let isOther =
                    r < low.x || r > high.x || g < low.y || g > high.y || b < low.z || b > high.z
                mask[pixel] = isOther ? 0 : -1
            }
            count = width * height
        }
    }

    /// Returns the pixels that are connected to one pixel, including diagonally, and numbers them.
    private func component(from first: Int, _ number: Int32, _ owner: inout [Int32]) -> [Int] {
        owner.withUnsafeMutableBufferPointer { owner in
            CellGrid(width: width, height: height).connected(to: first) { pixel in
                guard owner[pixel] == 0 else { return false }
                owner[pixel] = number
                return true
            }
        }
    }
}
