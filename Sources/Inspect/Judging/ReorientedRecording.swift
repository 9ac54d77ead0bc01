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
        for orientation in try likelyOrientations(verdict, reader, location) {
            let judge = try Judge(builder.request.reoriented(orientation), name: name, options: options)
            guard let place = try? RecordingLocation(reader, judge.loader, options, name: name) else { continue }
            let other = try judge.verdict(path, reader, place)
            // The orientation is a finding itself, so it must replace two others or explain all.
            guard other.isSimpler(than: verdict, by: other.findings == 0 ? 1 : 2),
                verdict.reason == nil || other.isSimple, let fit = other.fit,
                best.map({ other.findings < $0.verdict.findings }) ?? true
            else { continue }
            best = (orientation, other, fit)
            if other.findings == 0 { break }
        }
        return best.map { best in
            Verdict(
                file: path, loader: name, outcome: .differs, fit: best.fit,
                deviations: [best.orientation.finding] + best.verdict.deviations, notes: best.verdict.notes,
                curve: best.verdict.curve)
        }
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
        let designed = loader.canvas
        func difference(_ loader: any Loader) throws -> Double {
            // A quarter turn swaps the sides of the canvas; its centre stays.
            var pose = pose
            let sides = Point(designed.width - loader.canvas.width, designed.height - loader.canvas.height)
            pose.origin = pose.origin + sides * (0.5 * pose.scale)
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
            try difference(loader.reoriented(orientation)) < Self.maxReorientedShare * own
        }
    }
}
