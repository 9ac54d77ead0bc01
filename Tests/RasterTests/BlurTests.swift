import Core
import Foundation
import TestSupport
import Testing

@testable import Raster

/// Blurs of all widths compared with the mathematical definition.
@Suite struct BlurTests {
    /// The alpha values of a row through the middle of a blurred black square.
    private func row(of side: Double, deviation: Double, in size: Int) throws -> [Double] {
        let edge = (Double(size) - side) / 2
        let square = Node.shape(
            Shape(.rectangle(Rect(x: edge, y: edge, width: side, height: side)), fill: Color.black))
        let group = Group(nodes: [square], effects: [.blur(Size(deviation, 0))])
        let canvas = Size(Double(size), Double(size))
        let rasterizer = try Rasterizer(width: size, height: size)
        try rasterizer.draw(Scene(size: canvas, background: Color.black.opacity(0), nodes: [.group(group)]))
        let pixmap = rasterizer.pixmap
        let middle = pixmap.data + size / 2 * pixmap.stride
        return (0..<size).map { Double(middle[4 * $0 + 3]) / 255 }
    }

    @Test(arguments: [0.5, 2, 5.9, 6.1, 8, 13, 20, 47.3, 80])
    func blurredEdgesMatchTheGaussianIntegral(_ deviation: Double) throws {
        let size = 400
        let side = 120.0
        let row = try row(of: side, deviation: deviation, in: size)
        let worst = row.indices.map { index in
            let position = Double(index) + 0.5 - Double(size) / 2
            func integral(_ x: Double) -> Double { (1 + erf(x / (deviation * 2.0.squareRoot()))) / 2 }
            return abs(row[index] - integral(position + side / 2) + integral(position - side / 2))
        }.max()
        // Pixels are averages over their area, and three box blurs approximate a Gaussian.
        #expect(try #require(worst) < (deviation < 1 ? 0.06 : 0.025), "\(deviation)")
    }

    @Test func blursAreContinuousInTheirWidth() throws {
        var last = try row(of: 60, deviation: 5, in: 200)
        for step in 1...20 {
            let next = try row(of: 60, deviation: 5 + Double(step) * 0.1, in: 200)
            let jump = zip(last, next).map { abs($0 - $1) }.max()
            #expect(try #require(jump) < 0.02, "at \(5 + Double(step) * 0.1)")
            last = next
        }
    }

    /// Sums of 32 and of 64 bits and the columns of a pixmap give the exact means of boxes.
    @Test(arguments: [(3.0, 1), (7, 2), (40, 2), (2100, 2)])
    func boxBlursAreExact(_ radius: Double, _ iterations: Int) throws {
        let kernel = try #require(Gaussian.box(radius: radius, iterations: iterations, maxDeviation: 1e4))
        var generator = SeededGenerator(seed: 5)
        let (width, height) = (37, 50)
        let pixmap = try Pixmap(width: width, height: height)
        for index in 0..<height * pixmap.stride {
            pixmap.data[index] = UInt8(generator.double(0...255).rounded())
        }
        let original = (0..<height * pixmap.stride).map { Int(pixmap.data[$0]) }
        pixmap.blur(nil, kernel)
        let size = 2 * Int(radius) + 1
        for offset in 0..<4 * width {
            // The sum over a box of rows around each row; rows outside are 0.
            var sums = (0..<height).map { original[$0 * pixmap.stride + offset] }
            var padding = 0
            for _ in 0..<iterations {
                padding += size / 2
                let wide = Array(repeating: 0, count: size / 2) + sums + Array(repeating: 0, count: size / 2)
                let before = wide.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
                sums = wide.indices.map { index in
                    before[min(wide.count, index + size / 2 + 1)] - before[max(0, index - size / 2)]
                }
            }
            let divisor = (0..<iterations).reduce(1) { product, _ in product * size }
            let expected = (0..<height).map { (sums[padding + $0] + divisor / 2) / divisor }
            let found = (0..<height).map { Int(pixmap.data[$0 * pixmap.stride + offset]) }
            guard found == expected else { return #expect(found == expected, "byte \(offset)") }
        }
    }

    /// A box can be wider than the drawing: its radius is not a standard deviation.
    @Test func wideBoxesKeepTheirRadius() throws {
        let bar = Node.shape(Shape(.rectangle(Rect(x: 140, y: 0, width: 20, height: 300)), fill: Color.black))
        let group = Group(nodes: [bar], effects: [.boxBlur(radius: Size(200, 0), iterations: 1)])
        let rasterizer = try Rasterizer(width: 300, height: 300)
        try rasterizer.draw(
            Scene(size: Size(300, 300), background: Color.black.opacity(0), nodes: [.group(group)]))
        let row = rasterizer.pixmap.data + 150 * rasterizer.pixmap.stride
        // 20 of 401 pixels.
        #expect((0..<300).allSatisfy { row[4 * $0 + 3] == 13 })
    }

    @Test func hugeBlursAreDrawn() throws {
        for deviation in [1000, 1e6, 1e12] {
            let row = try row(of: 4000, deviation: deviation, in: 200)
            #expect(row.allSatisfy { $0 > 0.3 })
        }
    }
}
