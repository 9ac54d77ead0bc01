import Core
import Media
import Render

/// A comparer of two frames. Reusable for frames of one size; used by one thread at a time.
final class PairComparer {
    private let cells: CellSums
    private let rules: DifferenceRules
    private let reader: PixelReader
    private let (width, height): (Int, Int)
    /// The subsampler for frames that are compared with frames of subsampled chroma; nil if there
    /// is none, or before it is needed.
    private var subsampler: ChromaSubsampler?

    init(width: Int, height: Int) throws {
        (self.width, self.height) = (width, height)
        cells = CellSums(width: width, height: height)
        rules = DifferenceRules(cells)
        reader = try PixelReader(width: width, height: height)
    }

    /// Returns the difference between two frames, nil if they are equal, and their signatures.
    ///
    /// - Parameter minPSNR: the minimum PSNR in dB; nil if frames must be equal.
    func compare(
        _ a: DecodedFrame, _ b: DecodedFrame, minPSNR: Double?
    ) throws -> (measure: PairMeasure?, signature: PairSignature) {
        // The first plane of other formats has no brightness in bytes.
        let hasBrightness =
            a.alpha == nil && b.alpha == nil && a.frame.format == b.frame.format && !a.frame.format.isPaletted
            && a.frame.format.depth == 8
        guard hasBrightness, let signature = PairSignature(a.frame, b.frame) else {
            return try comparePixels(a, b, minPSNR: minPSNR, signature: nil)
        }
        if let transform = ChannelTransform(a.frame, b.frame) {
            cells.compare(a.frame, b.frame, transform)
            if cells.areEqual { return (nil, signature) }
            let flatness = Flatness(
                expected: SamplePlane.planes(of: a.frame), actual: SamplePlane.planes(of: b.frame))
            let measure = rules.measure(flatness, minPSNR: minPSNR)
            if !measure.isBorderline { return (measure, signature) }
        } else if a.frame.hasEqualSamples(b.frame) {
            return (nil, signature)
        }
        return try comparePixels(a, b, minPSNR: minPSNR, signature: signature)
    }

    /// Compares two frames after their conversion to RGBA.
    ///
    /// - Parameter signature: the signature of their samples; nil takes that of the green channels.
    private func comparePixels(
        _ a: DecodedFrame, _ b: DecodedFrame, minPSNR: Double?, signature: PairSignature?
    ) throws -> (measure: PairMeasure?, signature: PairSignature) {
        // RGBA has 8 bits per channel, so deeper samples are compared here.
        let isDeep = a.frame.format == b.frame.format && a.frame.format.depth > 8
        let differsInDepth = minPSNR == nil && isDeep && a.alpha == nil && !a.frame.hasEqualSamples(b.frame)
        let pixels = try reader.pixels(a)
        let otherPixels = try reader.pixels(b)
        cells.compare(pixels, otherPixels)
        let pixelSignature = signature ?? PairSignature(pixels, otherPixels)
        guard !cells.areEqual else {
            return (differsInDepth ? PairMeasure(rule: .equal) : nil, pixelSignature)
        }
        let measure = measure(pixels, otherPixels, minPSNR: minPSNR)
        guard measure?.rule != nil, minPSNR != nil, let (first, second) = try subsampled(a, b, pixels, otherPixels)
        else { return (measure, pixelSignature) }
        cells.compare(first, second)
        return (cells.areEqual ? nil : self.measure(first, second, minPSNR: minPSNR), pixelSignature)
    }

    /// Returns the pixels of two frames, with the chroma of the one that stores all of it
    /// subsampled as in the other one; nil if both frames have the same chroma or one has alpha.
    private func subsampled(
        _ a: DecodedFrame, _ b: DecodedFrame, _ pixels: Pixels, _ otherPixels: Pixels
    ) throws -> (Pixels, Pixels)? {
        let isFirstSubsampled = a.frame.format.hasSubsampledChroma
        guard isFirstSubsampled != b.frame.format.hasSubsampledChroma, a.alpha == nil, b.alpha == nil,
            (isFirstSubsampled ? otherPixels : pixels).isOpaque
        else { return nil }
        let model = isFirstSubsampled ? a.frame : b.frame
        subsampler = subsampler ?? ChromaSubsampler(like: model, width: width, height: height)
        guard let subsampler else { return nil }
        return isFirstSubsampled
            ? (pixels, try subsampler.subsampled(otherPixels)) : (try subsampler.subsampled(pixels), otherPixels)
    }

    private func measure(_ pixels: Pixels, _ otherPixels: Pixels, minPSNR: Double?) -> PairMeasure? {
        pixels.bytes.withUnsafeBufferPointer { bytes in
            otherPixels.bytes.withUnsafeBufferPointer { otherBytes -> PairMeasure? in
                guard let data = bytes.baseAddress, let otherData = otherBytes.baseAddress else { return nil }
                let flatness = Flatness(
                    expected: SamplePlane.planes(of: data, width: pixels.width, height: pixels.height),
                    actual: SamplePlane.planes(of: otherData, width: pixels.width, height: pixels.height))
                return rules.measure(flatness, minPSNR: minPSNR)
            }
        }
    }
}

extension Pixels {
    /// True if all pixels are opaque.
    fileprivate var isOpaque: Bool { stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
}

extension VideoFrame {
    /// Returns true if another frame has the same format, colours and bytes.
    fileprivate func hasEqualSamples(_ other: VideoFrame) -> Bool {
        guard format == other.format, colorTags.matrix == other.colorTags.matrix,
            colorTags.range == other.colorTags.range
        else { return false }
        for index in 0..<4 {
            guard let a = plane(index), let b = other.plane(index) else { break }
            if format.isPaletted, index == 1 { return memcmp(a.data, b.data, 1024) == 0 }
            let isChroma = (index == 1 || index == 2) && !format.isRGB
            let count = format.bytesPerRow(ofPlane: index, width: width)
            let rows = isChroma ? (height + format.verticalStep - 1) / format.verticalStep : height
            for row in 0..<rows where memcmp(a.data + row * a.stride, b.data + row * b.stride, count) != 0 {
                return false
            }
        }
        return true
    }
}

/// The comparison of pairs of frames on several threads. Results come in the order of the pairs.
final class PairComparison {
    /// A pair of frames and its difference; nil if they are equal.
    struct Compared: Sendable {
        let pair: FramePairs.Pair
        let measure: PairMeasure?
        let signature: PairSignature
    }

    private let pairs: FramePairs
    private let tasks: OrderedTasks<Compared>
    private let comparers = Locked<[PairComparer]>([])
    private let maxCount: Int
    private let minPSNR: Double?
    private let (width, height): (Int, Int)
    private var isAtEnd = false

    /// The maximum memory for the pairs that are being compared, in bytes.
    private static let maxBytes = 256 << 20
    /// The maximum number of threads. More would wait for the two decoders.
    private static let maxThreads = 8

    init(_ pairs: FramePairs, width: Int, height: Int, minPSNR: Double?) {
        self.pairs = pairs
        self.minPSNR = minPSNR
        self.width = width
        self.height = height
        // A pair needs 16 bytes per pixel: both frames, as decoded and in RGBA, 4 bytes each.
        let affordable = max(1, Self.maxBytes / max(1, 16 * width * height))
        let threads = min(Resources.processors, Self.maxThreads, affordable)
        maxCount = min(2 * threads, affordable)
        tasks = OrderedTasks(threads: threads)
    }

    /// Returns the next pair and its difference; nil at the end.
    func next() throws -> Compared? {
        while !isAtEnd, tasks.count < maxCount {
            guard let pair = try pairs.next() else {
                isAtEnd = true
                break
            }
            tasks.submit { [comparers, width, height, minPSNR] in
                let comparer =
                    try comparers.withLock { $0.popLast() } ?? PairComparer(width: width, height: height)
                defer { comparers.withLock { $0.append(comparer) } }
                let (measure, signature) = try comparer.compare(
                    pair.expected.decoded, pair.actual.decoded, minPSNR: minPSNR)
                return Compared(pair: pair, measure: measure, signature: signature)
            }
        }
        return try tasks.next()
    }
}
