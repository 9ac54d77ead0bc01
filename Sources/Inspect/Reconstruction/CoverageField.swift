import Core

/// Coverage of the pixels of a box, and the outlines at half coverage (marching squares).
struct CoverageField {
    let width: Int
    let height: Int
    /// The coverage at pixel centres, 0...1, by rows. The outermost pixels must be 0.
    var values: [Float]
    /// True for each pixel that shows the background where it does not show the object.
    var isFree: [Bool]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        values = Array(repeating: 0, count: width * height)
        isFree = Array(repeating: true, count: width * height)
    }

    /// The coverage at outlines: half of a pixel.
    private static let level: Float = 0.5

    /// Returns the outlines in pixels from the corner of the box. Outer outlines have positive
    /// areas and holes negative ones.
    func contours() -> [Contour] {
        var next = [Int32](repeating: -1, count: 2 * width * height)
        var starts: [Int] = []
        for y in 0..<height - 1 {
            for x in 0..<width - 1 { link(x, y, &next, &starts) }
        }
        var found: [Contour] = []
        for start in starts where next[start] >= 0 {
            var contour = Contour(points: [], isFree: [])
            var edge = start
            while next[edge] >= 0 {
                let (point, isFree) = crossing(edge)
                contour.points.append(point)
                contour.isFree.append(isFree)
                let following = Int(next[edge])
                next[edge] = -1
                edge = following
            }
            contour.points.reverse()
            contour.isFree.reverse()
            if contour.points.count >= 3 { found.append(contour) }
        }
        return found
    }

    /// Links the crossings of a cell between four pixel centres. An edge has the number
    /// 2 * (y * width + x), plus 1 if it goes down rather than right from the pixel (x, y).
    private func link(_ x: Int, _ y: Int, _ next: inout [Int32], _ starts: inout [Int]) {
        let index = y * width + x
        let level = CoverageField.level
        let a = values[index]
        let b = values[index + 1]
        let c = values[index + width]
        let d = values[index + width + 1]
        let code = (a >= level ? 1 : 0) | (b >= level ? 2 : 0) | (c >= level ? 4 : 0) | (d >= level ? 8 : 0)
        guard code != 0, code != 15 else { return }
        let top = 2 * index
        let left = 2 * index + 1
        let bottom = 2 * (index + width)
        let right = 2 * (index + 1) + 1
        func join(_ from: Int, _ to: Int) {
            next[from] = Int32(to)
            starts.append(from)
        }
        let isJoined = (a + b + c + d) / 4 >= level
        switch code {
        case 1: join(left, top)
        case 2: join(top, right)
        case 3: join(left, right)
        case 4: join(bottom, left)
        case 5: join(bottom, top)
        case 6:
            join(isJoined ? top : bottom, left)
            join(isJoined ? bottom : top, right)
        case 7: join(bottom, right)
        case 8: join(right, bottom)
        case 9:
            join(isJoined ? right : left, top)
            join(isJoined ? left : right, bottom)
        case 10: join(top, bottom)
        case 11: join(left, bottom)
        case 12: join(right, left)
        case 13: join(right, top)
        default: join(top, left)
        }
    }

    private func crossing(_ edge: Int) -> (Point, isFree: Bool) {
        let index = edge / 2
        let other = index + (edge % 2 == 0 ? 1 : width)
        let a = values[index]
        let b = values[other]
        let share = Double((CoverageField.level - a) / (b - a))
        let x = Double(index % width) + 0.5, y = Double(index / width) + 0.5
        let outside = a < b ? index : other
        return (edge % 2 == 0 ? Point(x + share, y) : Point(x, y + share), isFree[outside])
    }
}
