// Frames in another order throughout a clip, such as an encoder's reordered frames that are shown
// in the order of decoding.
extension WholeClipFaults {
    /// The numbers of frames in a group that are tried.
    private static let groupSizes = 2...4
    /// The minimum number of groups that show a fault, and the minimum share of the moving groups
    /// that show it. In 500 correct clips, no order reaches both.
    private static let minGroups = 8
    private static let minGroupPart = 0.6
    /// The maximum travel of a group in the right order, relative to that in the order shown. In
    /// even motion it is a half for reversed pairs, and 0.67 for four frames whose second and third
    /// are exchanged.
    private static let maxTravel = 0.75

    /// The minimum step in the right order, relative to the mean one. Frames that alternate between
    /// two images by design have equal neighbours in some orders.
    private static let minStepShare = 0.25

    /// The minimum travel from the groups in the right order to the next ones, and to those after
    /// them, relative to the steps between. In even motion of one object it is 1, and in 20
    /// reordered clips at least 0.7 and 0.55, as projections of several objects cancel out. Where
    /// an object shakes by design, it comes back.
    private static let minProgress = (oneGroup: 0.65, twoGroups: 0.5)

    /// The maximum travel of larger groups relative to that of smaller ones that explain it as
    /// well: two reversed pairs are a group of four, too.
    private static let minGain = 0.95

    /// The finding that the motion is more even if each group of two to four frames is shown in
    /// another order; nil if it is not.
    var reorderedGroups: Finding? {
        var travels = TravelTable(samples)
        var best: (order: [Int], start: Int, travel: Double)?
        for size in Self.groupSizes {
            for order in Self.orders(size) {
                for start in 0..<size {
                    guard let travel = travelIfReordered(order, from: start, &travels),
                        travel < best.map({ $0.travel * ($0.order.count < size ? Self.minGain : 1) }) ?? .infinity
                    else { continue }
                    best = (order, start, travel)
                }
            }
        }
        guard let (order, start, _) = best else { return nil }
        let numbers = order.indices.compactMap { order.firstIndex(of: $0) }.map { $0 + 1 }
        let isReversed = order == Array(order.indices.reversed())
        let description =
            isReversed ? "in reverse order" : "in the order \(numbers.map(String.init).joined(separator: ", "))"
        return Finding(
            .pictureSwapped, .error, time: samples[start].time, frame: samples[start].frame,
            "each group of \(order.count) frames is \(description); render the clip again")
    }

    /// Returns all orders of a number of elements but the first one, in which they already are.
    static func orders(_ count: Int) -> [[Int]] {
        func all(_ rest: [Int]) -> [[Int]] {
            guard rest.count > 1 else { return [rest] }
            return rest.flatMap { first in all(rest.filter { $0 != first }).map { [first] + $0 } }
        }
        return Array(all(Array(0..<count)).dropFirst())
    }

    /// Returns the travel of the groups of frames from a start in an order of their indices,
    /// relative to that in the order shown; nil unless most groups move more evenly in that order.
    private func travelIfReordered(_ order: [Int], from start: Int, _ travels: inout TravelTable) -> Double? {
        let size = order.count
        var (moving, reordered) = (0, 0)
        var sums = (shown: 0.0, right: 0.0)
        var progress = Progress()
        for group in 0..<max(0, (samples.count - start) / size - 1) {
            let first = start + group * size
            var (shown, right, smallest) = (0.0, 0.0, Double.infinity)
            for index in 0..<size {
                shown += travels.travel(first + index, first + index + 1)
                let next = index + 1 < size ? order[index + 1] : size + order[0]
                let step = travels.travel(first + order[index], first + next)
                right += step
                smallest = min(smallest, step)
            }
            guard shown > 0 else { continue }
            moving += 1
            sums = (sums.shown + shown, sums.right + right)
            if right < Self.maxTravel * shown, smallest > Self.minStepShare * right / Double(size) {
                reordered += 1
                progress.add(right, from: first + order[0], size, samples.count, &travels)
            }
            // Most clips need no more than this.
            if moving == Self.minGroups, 2 * reordered < moving { return nil }
        }
        guard moving >= Self.minGroups, Double(reordered) >= Self.minGroupPart * Double(moving),
            progress.oneGroup.travel >= Self.minProgress.oneGroup * progress.oneGroup.steps,
            progress.twoGroups.travel >= Self.minProgress.twoGroups * progress.twoGroups.steps
        else { return nil }
        return sums.right / sums.shown
    }
}

/// The sums of the travels across one and two groups, and of the steps that they consist of.
private struct Progress {
    private(set) var oneGroup = (travel: 0.0, steps: 0.0)
    private(set) var twoGroups = (travel: 0.0, steps: 0.0)

    /// Adds the travels from a group's first frame to those of the next two groups, and the sum of
    /// the group's steps.
    mutating func add(_ steps: Double, from first: Int, _ size: Int, _ frameCount: Int, _ travels: inout TravelTable) {
        oneGroup.travel += travels.travel(first, first + size)
        oneGroup.steps += steps
        guard first + 2 * size < frameCount else { return }
        twoGroups.travel += travels.travel(first, first + 2 * size)
        twoGroups.steps += 2 * steps
    }
}

/// The travels between frames a few frames apart, measured once.
private struct TravelTable {
    private let samples: [LoaderTimeline.Sample]
    private var travels: [Int: Double] = [:]

    init(_ samples: [LoaderTimeline.Sample]) { self.samples = samples }

    /// Returns the travel between two frames; 0 if nothing moves.
    mutating func travel(_ a: Int, _ b: Int) -> Double {
        let (first, second) = (min(a, b), max(a, b))
        let key = first * 16 + (second - first)
        if let travel = travels[key] { return travel }
        let delta = FrameDelta(samples[first].pixels, samples[second].pixels)
        let travel = delta.isMotion ? delta.travel : 0
        travels[key] = travel
        return travel
    }
}
