import Core
import Render

/// The luma and colour difference planes of a frame, slightly blurred, in codes of 0...255.
///
/// Video stores colour at half the resolution and encoders lose fine detail first. Blurring both
/// the recording and the rendered loader removes what an encoder may change and keeps what a
/// viewer sees.
struct DifferencePlanes: Sendable {
    /// The luma plane, then both colour planes, row by row.
    var values: [Float]

    /// The weights of BT.709, which make luma and colour differences from red, green and blue.
    private static let luma: (red: Float, green: Float, blue: Float) = (0.2126, 0.7152, 0.0722)
    /// The weight of colour differences, of which encoders at crf 38 lose a third in small objects.
    private static let colorWeight: Float = 0.6
    private static let blueScale: Float = colorWeight / 1.8556
    private static let redScale: Float = colorWeight / 1.5748
    /// The number of blurs with the binomial kernel 1-2-1: one covers antialiasing, two cover the
    /// half resolution of 4:2:0.
    private static let blurs = [1, 2, 2]

    /// Converts an image of four bytes per pixel, in RGBA or BGRA order.
    init(_ bytes: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool, width: Int, height: Int) {
        let count = width * height
        var scratch = [Float](repeating: 0, count: count)
        values = [Float](unsafeUninitializedCapacity: 3 * count) { target, initialized in
            for y in 0..<height {
                var source = bytes + y * stride
                for index in y * width..<(y + 1) * width {
                    let red = Float(source[isBlueFirst ? 2 : 0])
                    let green = Float(source[1])
                    let blue = Float(source[isBlueFirst ? 0 : 2])
                    let light = Self.luma.red * red + Self.luma.green * green + Self.luma.blue * blue
                    target[index] = light
                    target[count + index] = (blue - light) * Self.blueScale
                    target[2 * count + index] = (red - light) * Self.redScale
                    source += 4
                }
            }
            initialized = 3 * count
            guard let base = target.baseAddress else { return }
            for plane in 0..<3 {
                for _ in 0..<Self.blurs[plane] {
                    scratch.withUnsafeMutableBufferPointer {
                        Self.blur(base + plane * count, &$0, width: width, height: height)
                    }
                }
            }
        }
    }

    private static func blur(
        _ plane: UnsafeMutablePointer<Float>, _ scratch: inout UnsafeMutableBufferPointer<Float>, width: Int,
        height: Int
    ) {
        guard let between = scratch.baseAddress else { return }
        for y in 0..<height {
            let row = plane + y * width
            let target = between + y * width
            for x in 0..<width {
                target[x] = 0.5 * row[x] + 0.25 * (row[max(0, x - 1)] + row[min(width - 1, x + 1)])
            }
        }
        for y in 0..<height {
            let (above, row) = (between + max(0, y - 1) * width, between + y * width)
            let below = between + min(height - 1, y + 1) * width
            let target = plane + y * width
            for x in 0..<width { target[x] = 0.5 * row[x] + 0.25 * (above[x] + below[x]) }
        }
    }
}

/// Runs a function for all indices below `count` on several threads, in contiguous ranges.
///
/// The results are in order, so they do not depend on the number of threads. Throws the first
/// error.
func inParallel<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Range<Int>) throws -> [Result]
) throws -> [Result] {
    let workers = max(1, min(Resources.processors, count))
    let bounds = (0...workers).map { $0 * count / workers }
    let results = Locked<[Int: Swift.Result<[Result], any Error>]>([:])
    let threads = ThreadGroup()
    for worker in 0..<workers {
        let range = bounds[worker]..<bounds[worker + 1]
        let run: @Sendable () -> Void = {
            let result = Swift.Result { try body(range) }
            results.withLock { $0[worker] = result }
        }
        if !threads.start(run) { run() }
    }
    threads.wait()
    let all = results.withLock { $0 }
    return try (0..<workers).flatMap { try all[$0]?.get() ?? [] }
}
