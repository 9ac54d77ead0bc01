import Animations
import Core
import Raster
import Render

/// A recording of a loader's scenes at a fixed frame rate, with common parts stored once.
///
/// Most loaders draw the same shapes in every frame, at other positions. So a record holds a few
/// distinct codes (`SceneCode`), and for each code columns of numbers over the frames that have it.
struct SceneRecord {
    /// All frames with the same code.
    private struct Structure {
        let code: String
        var columns: [NumberColumn]
    }

    private(set) var assets = SceneAssets()
    private var structures: [Structure] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// Pairs of a structure's index and the number of consecutive frames that have it.
    private(set) var runs: [Int] = []
    /// The count of stored numbers so far.
    private(set) var storedCount = 0
    /// The approximate size of all codes in the page, in bytes.
    private(set) var codeBytes = 0

    /// Maximum count of stored numbers. Tests set a lower one.
    var maxNumbers = PageLimits.maxNumbers
    /// Maximum count of distinct images in a page.
    private static let maxImages = 64

    /// Adds the next frame. Throws `LoadervidError` if it cannot be drawn, or `PageOverflow` if the
    /// record exceeds a limit.
    mutating func append(_ scene: Scene, at time: Rational) throws {
        guard scene.isFinite else {
            throw LoadervidError(.internal, "drawing at \(time) s: a coordinate is not a finite number")
        }
        guard !scene.nodes.contains(where: \.hasEffects) else {
            throw LoadervidError(
                .badData,
                "a page cannot show the loader's effects, such as blurs, shadows or luma mattes; use encode")
        }
        let code = SceneCode(scene.nodes, assets: &assets)
        guard assets.images.count <= Self.maxImages else {
            throw LoadervidError(
                .badData,
                "the loader draws more than \(Self.maxImages) images, the maximum for a page; draw fewer images")
        }
        let number = structureNumber(of: code)
        for (index, quantity) in code.quantities.enumerated() {
            let before = structures[number].columns[index].storedCount
            structures[number].columns[index].append(quantity.value, bits: quantity.bits)
            storedCount += structures[number].columns[index].storedCount - before
        }
        guard storedCount <= maxNumbers else { throw PageOverflow.numbers(maxNumbers, after: time) }
        // A number takes at least one byte, and base64 adds a third.
        guard codeBytes + storedCount / 3 * 4 <= PageLimits.maxFrameBytes else {
            throw PageOverflow.bytes(PageLimits.maxFrameBytes, after: time)
        }
        if runs.count > 1, runs[runs.count - 2] == number { runs[runs.count - 1] += 1 } else { runs += [number, 1] }
    }

    private mutating func structureNumber(of code: SceneCode) -> Int {
        if let known = numbers[code.opcodes] { return known }
        numbers[code.opcodes] = structures.count
        let columns = Array(repeating: NumberColumn(), count: code.quantities.count)
        codeBytes += code.opcodes.count + Self.structureBytes
        structures.append(Structure(code: String(decoding: code.opcodes, as: UTF8.self), columns: columns))
        return structures.count - 1
    }

    /// The overhead in bytes of a structure's code in the page, and of one run of it.
    private static let structureBytes = 32

    /// The count of changing numbers in all frames so far.
    var changingCount: Int {
        structures.reduce(0) { sum, structure in
            structure.columns.reduce(sum) { $0 + ($1.storedCount > 1 ? $1.storedCount : 0) }
        }
    }

    /// The code of each structure and its number of columns.
    var codes: [(code: String, columns: Int)] { structures.map { ($0.code, $0.columns.count) } }

    /// Writes the columns of all structures.
    func write(to output: inout [UInt8]) {
        for structure in structures { for column in structure.columns { column.write(to: &output) } }
    }

    // MARK: Images

    /// Maximum resolution of stored images in pixels per point: three times that of stills.
    private static let pixelsPerPoint = 12.0

    /// Returns the images as PNG files, scaled down to the maximum resolution.
    func imageFiles() throws -> [[UInt8]] {
        try assets.images.map { stored in
            let bitmap = stored.bitmap
            let width = Double(bitmap.width)
            let height = Double(bitmap.height)
            let needed = Self.pixelsPerPoint * max(stored.size.width / width, stored.size.height / height)
            let scale = min(1, max(needed, 1 / min(width, height)))
            let size = Size(max(1, (width * scale).rounded()), max(1, (height * scale).rounded()))
            let image = Image(bitmap, frame: Rect(size: size))
            let scene = Scene(size: size, background: Color.black.opacity(0), nodes: [.image(image)])
            return try scene.png(width: Int(size.width), height: Int(size.height))
        }
    }
}

extension Node {
    /// True if a group in the node has effects.
    fileprivate var hasEffects: Bool {
        guard case .group(let group) = self else { return false }
        return !group.effects.isEmpty || group.nodes.contains(where: \.hasEffects)
            || group.mask?.nodes.contains(where: \.hasEffects) ?? false
    }
}
