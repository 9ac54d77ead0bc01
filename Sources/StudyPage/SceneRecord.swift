import Loaders
import Motion
import Pipeline
import Raster
import Scene

/// A loader's scenes at a rate, with what they have in common stored once.
///
/// Most loaders draw the same things at all times, only elsewhere. So what is drawn is kept as a few texts (`SceneCode`), and
/// the numbers of each as columns over the frames that have it.
struct SceneRecord {
    /// All frames with the same code.
    private struct Structure {
        let code: String
        var columns: [NumberColumn]
    }

    private(set) var assets = SceneAssets()
    private var structures: [Structure] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// In turn the number of a structure and for how many frames it is shown.
    private(set) var runs: [Int] = []
    private var storedCount = 0

    /// A page with more numbers than this would be too large to open.
    var mostNumbers = 5_000_000
    private static let mostPictures = 64

    /// Adds the next frame. Throws `RenderError` if it cannot be drawn, or if it becomes too much.
    mutating func append(_ scene: Scene, at time: Rational) throws {
        guard scene.isFinite else {
            throw RenderError(.internal, "drawing at \(time) s: a coordinate is not a finite number")
        }
        guard !scene.nodes.contains(where: \.hasEffects) else {
            throw RenderError(
                .badData,
                "the loader draws with effects such as blurs, shadows or luma mattes, which a page cannot show: encode it"
            )
        }
        let code = SceneCode(scene.nodes, assets: &assets)
        guard assets.pictures.count <= Self.mostPictures else {
            throw RenderError(
                .badData,
                "the loader draws more than \(Self.mostPictures) pictures: a page holds no more; use the same ones")
        }
        let number = structureNumber(of: code)
        for (index, quantity) in code.quantities.enumerated() {
            let before = structures[number].columns[index].storedCount
            structures[number].columns[index].append(quantity.value, bits: quantity.bits)
            storedCount += structures[number].columns[index].storedCount - before
        }
        guard storedCount <= mostNumbers else {
            throw RenderError(
                .usage,
                "a page of more than \(mostNumbers) numbers is too large, and this one has them after \(time) s: "
                    + "make the period shorter")
        }
        if runs.count > 1, runs[runs.count - 2] == number { runs[runs.count - 1] += 1 } else { runs += [number, 1] }
    }

    private mutating func structureNumber(of code: SceneCode) -> Int {
        if let known = numbers[code.letters] { return known }
        numbers[code.letters] = structures.count
        let columns = Array(repeating: NumberColumn(), count: code.quantities.count)
        structures.append(Structure(code: String(decoding: code.letters, as: UTF8.self), columns: columns))
        return structures.count - 1
    }

    /// What is drawn, and how many numbers each takes.
    var codes: [(code: String, columns: Int)] { structures.map { ($0.code, $0.columns.count) } }

    /// Writes the columns of all structures.
    func write(to output: inout [UInt8]) {
        for structure in structures { for column in structure.columns { column.write(to: &output) } }
    }

    // MARK: Pictures

    /// More pixels than this for a point as it is seen are not stored: it is three times what stills have.
    private static let pixelsPerPoint = 12.0

    /// The pictures as PNG files.
    func pictures() throws -> [[UInt8]] {
        try assets.pictures.map { picture in
            let bitmap = picture.bitmap
            let (width, height) = (Double(bitmap.width), Double(bitmap.height))
            let needed = Self.pixelsPerPoint * max(picture.size.width / width, picture.size.height / height)
            let scale = min(1, max(needed, 1 / min(width, height)))
            let size = Size(max(1, (width * scale).rounded()), max(1, (height * scale).rounded()))
            let image = Image(bitmap, frame: Rect(size: size))
            let scene = Scene(size: size, background: Color.black.opacity(0), nodes: [.image(image)])
            return try scene.png(width: Int(size.width), height: Int(size.height))
        }
    }
}

extension Node {
    /// Whether any group in it has effects.
    fileprivate var hasEffects: Bool {
        guard case .group(let group) = self else { return false }
        return !group.effects.isEmpty || group.nodes.contains(where: \.hasEffects)
            || group.mask?.nodes.contains(where: \.hasEffects) ?? false
    }
}
