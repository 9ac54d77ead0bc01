import CLibAV
import Scene

extension Bitmap {
    /// Pictures that are read have at most so many pixels unless more is asked for: as many as the largest that is drawn.
    public static let mostPixels = 8192 * 8192

    /// The first picture of an image file in one of `InputFormats.pictures`, turned the way up that it says. Throws if it
    /// is damaged or cut off.
    ///
    /// - Parameters:
    ///   - path: where the file is.
    ///   - limit: sides longer than this many pixels are shrunk to it, in proportion.
    ///   - mostPixels: larger pictures are refused before they are decoded.
    public static func load(
        path: String, fitting limit: Int = .max, mostPixels: Int = mostPixels
    ) throws(FFmpegError) -> Bitmap {
        try load(InputFile(path: path), fitting: limit, mostPixels: mostPixels)
    }

    /// The first picture of an image file that is open.
    public static func load(
        _ file: InputFile, fitting limit: Int = .max, mostPixels: Int = mostPixels
    ) throws(FFmpegError) -> Bitmap {
        let demuxer = try Demuxer(file, formats: .pictures)
        let parameters = try demuxer.parameters()
        // To a strict decoder of TIFF every tag that it does not know is damage.
        let decoder = try VideoDecoder(
            parameters, isStrict: parameters.codecName != "tiff", isStill: true, mostPixels: mostPixels)
        let operation = "decode \(file.path)"
        var (frame, notes): (VideoFrame?, PictureNotes?)
        while frame == nil {
            let packet = try demuxer.read()
            if notes == nil, let packet {
                let found = PictureNotes(packet.bytes)
                guard parameters.codecName == "gif" ? try file.endsAsGIF() : found.isWhole else {
                    throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation, reason: "it is cut off")
                }
                notes = found
            }
            frame = try decoder.decode(packet).first
            if packet == nil { break }
        }
        guard let frame, let notes else { throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation) }
        let scale = min(1, Double(limit) / Double(max(frame.width, frame.height)))
        let (width, height) = (max(1, Int(Double(frame.width) * scale)), max(1, Int(Double(frame.height) * scale)))
        let pixels = premultiplied(try frame.rgba(width: width, height: height))
        let upright = notes.orientation.applied(to: pixels, width: width, height: height)
        guard let bitmap = Bitmap(width: upright.width, height: upright.height, pixels: upright.pixels) else {
            throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation)
        }
        return bitmap
    }

    /// Straight RGBA as premultiplied BGRA.
    private static func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
        var pixels = rgba
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let (red, green, blue, alpha) = (
                pixels[pixel], pixels[pixel + 1], pixels[pixel + 2], Int(pixels[pixel + 3])
            )
            func premultiplied(_ value: UInt8) -> UInt8 { UInt8((Int(value) * alpha + 127) / 255) }
            pixels[pixel] = premultiplied(blue)
            pixels[pixel + 1] = premultiplied(green)
            pixels[pixel + 2] = premultiplied(red)
        }
        return pixels
    }
}

/// Which way up a picture is stored, by the numbers of EXIF's tag 0x0112.
enum PictureOrientation: Int {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, onItsLeftSide, transversed, onItsRightSide

    /// The picture as it is meant, from four bytes a pixel as they are stored.
    func applied(
        to pixels: [UInt8], width: Int, height: Int
    ) -> (pixels: [UInt8], width: Int, height: Int) {
        guard self != .upright else { return (pixels, width, height) }
        let (targetWidth, targetHeight) = rawValue < 5 ? (width, height) : (height, width)
        var result = [UInt8](repeating: 0, count: pixels.count)
        for y in 0..<targetHeight {
            for x in 0..<targetWidth {
                let (column, row) = source(x, y, width, height)
                let (from, to) = (4 * (row * width + column), 4 * (y * targetWidth + x))
                for channel in 0..<4 { result[to + channel] = pixels[from + channel] }
            }
        }
        return (result, targetWidth, targetHeight)
    }

    /// Where a pixel is stored.
    private func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (column: Int, row: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .upsideDown: (width - 1 - x, height - 1 - y)
        case .flipped: (x, height - 1 - y)
        case .transposed: (y, x)
        case .onItsLeftSide: (y, height - 1 - x)
        case .transversed: (width - 1 - y, height - 1 - x)
        case .onItsRightSide: (width - 1 - y, x)
        }
    }
}

extension InputFile {
    /// Whether the file ends with a GIF's trailer, behind which some programs write zeros. Packets come without it.
    fileprivate func endsAsGIF() throws(FFmpegError) -> Bool {
        let end = try bytes(at: max(0, byteCount - 64), count: min(64, byteCount))
        return end.last { $0 != 0 } == UInt8(ascii: ";")
    }
}
