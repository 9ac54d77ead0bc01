import Animations
import Core
import Render

extension Judge {
    /// The difference from the mirrored or rotated loader, relative to that from the loader, below
    /// which a recording may show it.
    private static let maxReorientedShare = 0.5
    /// The numbers of frames and of instants of the period that are compared.
    private static let orientedFrames = 16
    private static let orientedInstants = 64

    /// Returns the verdict on a recording of the loader mirrored or rotated; nil if none of these
    /// explains the recording better.
    func reorientedVerdict(
        of path: String, _ reader: ClipReader, _ location: RecordingLocation, insteadOf verdict: Verdict
    ) throws -> Verdict? {
        guard verdict.outcome != .matches else { return nil }
        var best: (orientation: Reorientation, verdict: Verdict, fit: RecordingFit)?
        let likely = try likelyOrientations(verdict, reader, location)
        for orientation in Reorientation.allCases {
            let judge = try Judge(builder.request.reoriented(orientation), name: name, options: options)
            var place: RecordingLocation?
            if judge.loader.canvas == loader.canvas {
                guard likely.contains(orientation) else { continue }
                place = try? RecordingLocation(reader, judge.loader, options, name: name)
            } else {
                place = judge.turnedLocation(in: location.survey, cost: location.cost)
            }
            guard let place else { continue }
            let other = try judge.verdict(path, reader, place)
            // The orientation is a finding itself, so it must replace two others or explain all.
            guard other.isSimpler(than: verdict, by: other.findings == 0 ? 1 : 2),
                verdict.reason == nil || other.isSimple, let fit = other.fit,
                best.map({ other.findings < $0.verdict.findings }) ?? true
            else { continue }
            best = (orientation, other, fit)
            if other.findings == 0 { break }
        }
        return best.map { $0.verdict.reoriented($0.orientation, $0.fit) }
    }

    /// Returns the verdict on a recording in which nothing moves like the loader, but something
    /// moves like the loader rotated by a quarter turn; nil if nothing does.
    func turnedVerdict(of path: String, _ reader: ClipReader) throws -> Verdict? {
        guard loader.canvas.width != loader.canvas.height else { return nil }
        for orientation in [Reorientation.quarterTurn, .threeQuarterTurn] {
            let judge = try Judge(builder.request.reoriented(orientation), name: name, options: options)
            guard let place = try? RecordingLocation(reader, judge.loader, options, name: name),
                place.cost < Self.maxTurnedCost
            else { continue }
            let other = try judge.verdict(path, reader, place)
            if other.isSimple, let fit = other.fit { return other.reoriented(orientation, fit) }
        }
        return nil
    }

    /// The maximum cost of a loader that is rotated by a quarter turn, and the minimum cost of the
    /// upright one beside it. The right one costs up to 0.04, others 0.8 and more.
    private static let maxTurnedCost = 0.3

    /// Returns the position of a loader whose canvas has other sides than the designed one; nil if
    /// the recording does not show it.
    ///
    /// - Parameter cost: the cost of the designed loader.
    private func turnedLocation(in survey: RecordingSurvey, cost: Double) -> RecordingLocation? {
        guard cost > Self.maxTurnedCost else { return nil }
        let place = try? RecordingLocation(atExpectedSpeedIn: survey, loader, options, name: name)
        return place.flatMap { $0.cost < Self.maxTurnedCost ? $0 : nil }
    }

    /// Returns the orientations in which the loader looks at some times more like the recording
    /// than as designed at any, where it was found.
    private func likelyOrientations(
        _ verdict: Verdict, _ reader: ClipReader, _ location: RecordingLocation
    ) throws -> [Reorientation] {
        var pose = location.pose
        if let fit = verdict.fit { (pose.scale, pose.origin) = (fit.scale, fit.origin) }
        let empty = JudgedView(location.region(of: Rect(size: loader.canvas), options), location.survey)
        let view = try JudgedView.read([empty], reader, location.survey)[0]
        let frames = Judge.sampled(view.frames.count, Self.orientedFrames).map { view.planes($0).values }
        let renderer = try ModelRenderer(view, builder.elements)
        let period = loader.period.double
        func difference(_ loader: any Loader) throws -> Double {
            let model = LoaderModel(loader: loader, pose: pose, background: location.survey.background)
            let drawings = try (0..<Self.orientedInstants).map { step in
                try renderer.planes(model, at: period * Double(step) / Double(Self.orientedInstants)).values
            }
            return frames.reduce(0) { sum, frame in
                sum + (drawings.map { SampleSums.squaredDifference(frame, $0) }.min() ?? 0)
            }
        }
        let own = try difference(loader)
        return try Reorientation.allCases.filter { orientation in
            let reoriented = loader.reoriented(orientation)
            // A canvas with other sides is elsewhere.
            return try reoriented.canvas == loader.canvas && difference(reoriented) < Self.maxReorientedShare * own
        }
    }
}

extension Verdict {
    /// Returns the verdict on the loader as designed, given the one on a mirrored or rotated one.
    fileprivate func reoriented(_ orientation: Reorientation, _ fit: RecordingFit) -> Verdict {
        Verdict(
            file: file, loader: loader, outcome: .differs, fit: fit,
            deviations: [orientation.finding] + deviations, notes: notes, curve: curve)
    }
}
