import Foundation
import Raster
import Core
import Testing

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

    /// A box can be wider than the drawing: its radius is no standard deviation.
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
