// The encoders of image sequences and of frames without compression. They are not found by name:
// `--codec png` in Matroska is FFmpeg's encoder.
extension CodecProfile {
    // Cairo writes the files, as for `still`, so the frames of a sequence are the same files.
    static let pngFiles = CodecProfile(
        encoder: "png", quality: nil, speed: nil,
        traits: EncoderTraits(
            translucentFormat: .bgra, takesBitmaps: true, pixelFormats: [.bgr0, .bgra],
            bitsPerPixel: 0.5, bytesPerPixel: 40))

    // The drawn frames have 8 bits per channel. Editors that work in 16 bits import them without a
    // conversion of their own.
    static let tiffFiles = CodecProfile(
        encoder: "tiff", quality: nil, speed: nil, options: ["compression_algo": "lzw"],
        traits: EncoderTraits(
            translucentFormat: .rgba64, pixelFormats: [.rgb48, .rgba64], bitsPerPixel: 1,
            bytesPerPixel: 40))

    static let webpFiles = CodecProfile(
        encoder: "libwebp", quality: webp.quality, speed: webp.speed, options: webp.options,
        traits: EncoderTraits(
            translucentFormat: .bgra, pixelFormats: [.bgra], bitsPerPixel: 0.3, bytesPerPixel: 40,
            library: "libwebp"))

    // JFIF files are in BT.601, and their readers assume it.
    static let jpegFiles = CodecProfile(
        encoder: "mjpeg", quality: Setting(option: fixedQuantizer, range: 1...31, defaultValue: "2"), speed: nil,
        traits: EncoderTraits(
            pixelFormats: [.yuvj444p, .yuvj422p, .yuvj420p], matrix: .bt601, bitsPerPixel: 0.5,
            bytesPerPixel: 40))

    // SVT-AV1 takes only 4:2:0 and frames of 64 pixels and more. Without row threads, the bytes do
    // not depend on timing. The matrix is that of JPEG, which libavif writes by default, too:
    // Chromium's conversion from BT.709 to RGB limits a coefficient, and shows #8040c0 as #8140bb.
    static let avif = CodecProfile(
        encoder: "libaom-av1", quality: Setting(option: "crf", range: 0...63, defaultValue: "20"),
        speed: Setting(option: "cpu-used", range: 0...8, defaultValue: "6"),
        options: ["b": "0", "row-mt": "0"],
        traits: EncoderTraits(
            translucentFormat: PixelFormat(name: "yuva444p"), usesSeparateAlphaEncoder: true, usesSRGBTransfer: true,
            pixelFormats: ["yuv444p", "yuv420p", "yuva444p", "yuva420p"].compactMap { PixelFormat(name: $0) },
            matrix: .bt601, bitsPerPixel: 0.03, minFrameRate: 1, library: "libaom"))

    static let y4m = CodecProfile(
        encoder: "rawvideo", quality: nil, speed: nil,
        traits: EncoderTraits(pixelFormats: Y4MFile.formats, bitsPerPixel: 12, bytesPerPixel: 40))

    static let rawvideo = CodecProfile(
        encoder: "rawvideo", quality: nil, speed: nil,
        traits: EncoderTraits(translucentFormat: .rgba, bitsPerPixel: 12, bytesPerPixel: 40))
}

extension EncoderTraits {
    /// The encoders of images that Matroska or QuickTime can contain.
    static let images = [
        "png", "tiff", "bmp", "targa", "sgi", "qtrle", "jpeg2000", "libopenjpeg", "jpegls",
    ].map { ($0, EncoderTraits(hasFullRangeGray: true)) }
}

extension CodecProfile {
    /// The pixel formats of frames without compression that QuickTime has names for, best first.
    /// FFmpeg writes others under the name of a format with as many bits, or under none, and rgb24
    /// without the padding of odd rows.
    private static let quickTimeRawFormats = [
        "uyvy422", "yuyv422", "bgr24", "rgb48be", "argb", "bgra", "rgba", "abgr",
    ].compactMap { PixelFormat(name: $0) }

    /// Returns the profile without the pixel formats that a container cannot declare.
    package func limited(to container: Container) -> CodecProfile {
        guard container == .mov, codecName == "rawvideo" else { return self }
        var limited = self
        limited.traits.pixelFormats = Self.quickTimeRawFormats
        return limited
    }
}
