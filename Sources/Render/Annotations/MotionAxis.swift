import Animations
import Core

extension MotionCurves {
    /// The quantity of a plot: a coordinate of the canvas or, for objects that do not move, another
    /// property.
    package enum Axis: Sendable, CaseIterable {
        /// The horizontal position; positive is to the right.
        case x
        /// The vertical position; positive is down.
        case y
        /// The scale in percent.
        case scale
        /// The radius of the disc in points.
        case radius
        /// The opacity in percent.
        case opacity
        /// The clockwise rotation in degrees.
        case angle
        /// The drawn part of a stroke in percent.
        case drawn

        /// The coordinates of the canvas.
        package static let positions = [Axis.x, .y]

        package var isPosition: Bool { Self.positions.contains(self) }

        /// The title of a plot.
        var title: String {
            switch self {
            case .x: "x (pt)"
            case .y: "y (pt)"
            case .scale: "size (%)"
            case .radius: "radius (pt)"
            case .opacity: "opacity (%)"
            case .angle: "angle (°)"
            case .drawn: "drawn (%)"
            }
        }

        /// The changes above which viewers notice them: of size or opacity, in percent of the full
        /// value, and of an angle, in degrees.
        private static let minVisibleChange = (percent: 2.0, degrees: 1.0)

        /// Returns the maximum change that viewers do not see.
        ///
        /// - Parameter distance: the result for positions, in points.
        func minChange(distance: Double) -> Double {
            switch self {
            case .x, .y, .radius: distance
            case .scale, .opacity, .drawn: Self.minVisibleChange.percent
            case .angle: Self.minVisibleChange.degrees
            }
        }

        /// Returns the value of an object. Inlined into closures, it crashes the optimizer of Swift
        /// 6.
        @inline(never)
        package func value(of object: MovingObject) -> Double {
            value(position: object.position, radius: object.radius, pose: object.pose, drawn: object.strokeTrim?.length)
        }

        /// Returns the value of a sample.
        package func value(of sample: Sample) -> Double {
            value(position: sample.position, radius: sample.radius, pose: sample.pose, drawn: sample.drawn)
        }

        private func value(position: Point, radius: Double, pose: MovingObject.Pose?, drawn: Double?) -> Double {
            switch self {
            case .x: position.x
            case .y: position.y
            case .scale: 100 * (pose.map(Self.factor) ?? 1)
            case .radius: radius
            case .opacity: 100 * (pose?.opacity ?? 1)
            case .angle: pose?.rotation ?? 0
            case .drawn: drawn ?? 100
            }
        }

        /// Returns the scale factor that differs more from the original size.
        private static func factor(_ pose: MovingObject.Pose) -> Double {
            abs(pose.scale.y - 1) > abs(pose.scale.x - 1) ? pose.scale.y : pose.scale.x
        }
    }
}
