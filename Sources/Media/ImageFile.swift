import CLibAV
import Core

extension Bitmap {
    /// The default maximum size of an image file in pixels, which is the size of the largest frame
    /// that can be drawn.
    package static let maxPixels = 8192 * 8192

    /// Returns the maximum size in bytes of an image file with up to `pixels` pixels: an
    /// uncompressed image with 16 bits per channel, and 16 MiB of metadata.
    package static func maxFileBytes(pixels: Int) -> Int {
        let (bytes, isTooMany) = pixels.multipliedReportingOverflow(by: 8)
        return isTooMany ? .max : bytes.addingReportingOverflow(16 << 20).overflow ? .max : bytes + (16 << 20)
    }

    /// Decodes the first frame of an image file in one of `InputFormats.images`, and rotates it
    /// by its EXIF orientation. Throws an `FFmpegError` if the file is damaged, truncated or too
    /// large.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limit: the maximum length of a side in pixels; larger images are scaled down in
    ///     proportion.
    ///   - maxPixels: the maximum number of pixels. Larger images are rejected before decoding,
    ///     and files over `maxFileBytes(pixels:)` before reading.
    package static func load(
        path: String, fitting limit: Int = .max, maxPixels: Int = maxPixels
    ) throws(FFmpegError) -> Bitmap {
        try load(
            InputFile(path: path, maxBytes: maxFileBytes(pixels: maxPixels)), fitting: limit, maxPixels: maxPixels)
    }

    /// Decodes the first frame of an open image file. Throws the errors of
    /// `load(path:fitting:maxPixels:)`.
    package static func load(
        _ file: InputFile, fitting limit: Int = .max, maxPixels: Int = maxPixels
    ) throws(FFmpegError) -> Bitmap {
        let (frame, metadata, _) = try VideoFrame.load(file, maxPixels: maxPixels)
        let operation = "decode \(file.path)"
        let scale = min(1, Double(limit) / Double(max(frame.width, frame.height)))
        let width = max(1, Int(Double(frame.width) * scale))
        let height = max(1, Int(Double(frame.height) * scale))
        let pixels = premultiplied(try frame.rgba(width: width, height: height))
        let upright = metadata.orientation.applied(to: pixels, width: width, height: height)
        guard let bitmap = Bitmap(width: upright.width, height: upright.height, pixels: upright.pixels) else {
            throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation)
        }
        return bitmap
    }

    /// Converts straight RGBA to premultiplied BGRA.
    private static func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
        var pixels = rgba
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let red = pixels[pixel]
            let green = pixels[pixel + 1]
            let blue = pixels[pixel + 2]
            let alpha = Int(pixels[pixel + 3])
            func premultiplied(_ value: UInt8) -> UInt8 { UInt8((Int(value) * alpha + 127) / 255) }
            pixels[pixel] = premultiplied(blue)
            pixels[pixel + 1] = premultiplied(green)
            pixels[pixel + 2] = premultiplied(red)
        }
        return pixels
    }
}

extension VideoFrame {
    /// Decodes the first frame of an image file in its own pixel format. Returns also FFmpeg's name
    /// of the codec. Throws the errors of `Bitmap.load`.
    package static func image(
        _ file: InputFile, maxPixels: Int
    ) throws(FFmpegError) -> (frame: VideoFrame, codec: String) {
        let (frame, _, codec) = try load(file, maxPixels: maxPixels)
        return (frame, codec)
    }

    /// Decodes the first frame of an image file like `image`, with its metadata.
    fileprivate static func load(
        _ file: InputFile, maxPixels: Int
    ) throws(FFmpegError) -> (frame: VideoFrame, metadata: ImageMetadata, codec: String) {
        let operation = "decode \(file.path)"
        let demuxer = try Demuxer(file, formats: .images)
        let parameters = try demuxer.parameters()
        let decoder = try VideoDecoder(parameters, isStrict: true, isStill: true, maxPixels: maxPixels)
        var frame: VideoFrame?
        var metadata: ImageMetadata?
        while frame == nil {
            let packet = try demuxer.read()
            if metadata == nil, let packet {
                let found = ImageMetadata(packet.bytes)
                guard parameters.codecName == "gif" ? try file.hasGIFTrailer() : found.isComplete else {
                    throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation, reason: "it is truncated")
                }
                metadata = found
            }
            frame = try decoder.decode(packet).first
            if packet == nil { break }
        }
        guard let frame, let metadata else { throw FFmpegError(code: LV_ERROR_INVALIDDATA, operation: operation) }
        return (frame, metadata, parameters.codecName)
    }
}

/// The transformation that makes a stored image upright, by the values of EXIF tag 0x0112.
enum ImageOrientation: Int {
    case upright = 1
    case mirrorHorizontally
    case rotate180
    case mirrorVertically
    case transpose
    /// Clockwise.
    case rotate90
    case transverse
    /// Clockwise.
    case rotate270

    /// Returns the upright image, from stored pixels of four bytes.
    func applied(
        to pixels: [UInt8], width: Int, height: Int
    ) -> (pixels: [UInt8], width: Int, height: Int) {
        guard self != .upright else { return (pixels, width, height) }
        let isTransposed = rawValue >= 5
        let targetWidth = isTransposed ? height : width
        let targetHeight = isTransposed ? width : height
        var result = [UInt8](repeating: 0, count: pixels.count)
        for y in 0..<targetHeight {
            for x in 0..<targetWidth {
                let (column, row) = source(x, y, width, height)
                let from = 4 * (row * width + column)
                let to = 4 * (y * targetWidth + x)
                for channel in 0..<4 { result[to + channel] = pixels[from + channel] }
            }
        }
        return (result, targetWidth, targetHeight)
    }

    /// Returns the stored position of a pixel of the upright image.
    private func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (column: Int, row: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrorHorizontally: (width - 1 - x, y)
        case .rotate180: (width - 1 - x, height - 1 - y)
        case .mirrorVertically: (x, height - 1 - y)
        case .transpose: (y, x)
        case .rotate90: (y, height - 1 - x)
        case .transverse: (width - 1 - y, height - 1 - x)
        case .rotate270: (width - 1 - y, x)
        }
    }
}

extension InputFile {
    /// Returns true if the file ends with a GIF trailer, byte 0x3B (GIF89a, section 27). FFmpeg
    /// reads a file without one, and its packets do not include it.
    package func hasGIFTrailer() throws(FFmpegError) -> Bool {
        // Some encoders pad the file with zeros.
        var end = byteCount
        while end > 0 {
            let start = max(0, end - 4096)
            if let last = try bytes(at: start, count: end - start).last(where: { $0 != 0 }) { return last == 0x3B }
            end = start
        }
        return false
    }
}
