import Core
import Testing

@testable import Inspect

/// The number of periods of a clip in which its objects repeat their motions.
@Suite struct ObjectCyclesTests {
    private static func shape(_ frame: Int, _ center: Point, diameter: Double = 20) -> ObservedShape {
        let points = [center, center + Point(1, 0), center + Point(0, 1)]
        let contour = Contour(points: points, isFree: [true, true, true])
        return ObservedShape(
            frame: frame, color: Channels(20, 90, 200), area: diameter * diameter * .pi / 4, centroid: center,
            box: Rect(x: center.x - 10, y: center.y - 10, width: 20, height: 20), contours: [contour], isCut: false,
            isAlone: true, isPlain: true)
    }

    private static func track(_ frames: Range<Int>, _ shape: (Int) -> ObservedShape) -> ShapeTrack {
        ShapeTrack(frames.map(shape), merged: [])
    }

    /// Returns tracks of dots on a circle, which turns once in 60 frames.
    private static func dots(_ count: Int, frames: Int) -> [ShapeTrack] {
        (0..<count).map { number in
            track(0..<frames) { frame in
                let angle = 2 * Double.pi * (Double(frame) / 60 + Double(number) / Double(count))
                return shape(frame, Point(100 + 40 * cos(angle), 100 + 40 * sin(angle)))
            }
        }
    }

    @Test func dotsThatTakeEachOthersPlacesRepeatTogether() throws {
        #expect(try #require(ObjectCycles(Self.dots(2, frames: 150), lag: 30)).count(frames: 150) == 2)
        #expect(try #require(ObjectCycles(Self.dots(3, frames: 150), lag: 20)).count(frames: 150) == 3)
        #expect(try #require(ObjectCycles(Self.dots(2, frames: 150), lag: 60)).count(frames: 150) == 1)
        #expect(try #require(ObjectCycles(Self.dots(1, frames: 150), lag: 60)).count(frames: 150) == 1)
    }

    @Test func shortClipsAndConveyorsHaveThePeriodThatIsSeen() throws {
        #expect(try #require(ObjectCycles(Self.dots(2, frames: 64), lag: 30)).count(frames: 64) == 1)
        #expect(try #require(ObjectCycles(Self.dots(6, frames: 150), lag: 10)).count(frames: 150) == 1)
    }

    /// A ripple grows in 60 frames; one starts every 30 frames.
    @Test func overlappingRipplesRepeatAfterTheirGrowth() throws {
        let ripples = (0..<6).map { number in
            let first = 30 * number
            let last = min(178, first + 58)
            return Self.track(first..<last) { frame in
                let growth = Double(frame - first)
                return Self.shape(frame, Point(100, 100), diameter: 20 + growth)
            }
        }
        #expect(try #require(ObjectCycles(ripples, lag: 30)).count(frames: 178) == 2)
    }

    @Test func objectsThatTouchAreNotToldApart() {
        var tracks = Self.dots(2, frames: 150)
        tracks[0].noteMerge(at: 40)
        #expect(ObjectCycles(tracks, lag: 30) == nil)
    }
}
