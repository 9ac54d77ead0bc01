import Animations
import Core
import Render

extension Judge {
    /// The difference from the mirrored loader, relative to that from the loader, below which a
    /// recording may show it.
    private static let maxMirroredShare = 0.5
    /// The numbers of frames and of instants of the period that are compared.
    private static let mirrorFrames = 16
    private static let mirrorInstants = 64

    /// Returns the verdict on a recording of the mirrored loader; nil if that does not explain the
    /// recording better.
    func mirroredVerdict(
        of path: String, _ reader: ClipReader, _ location: RecordingLocation, insteadOf verdict: Verdict
    ) throws -> Verdict? {
        guard verdict.outcome != .matches else { return nil }
        for axis in try likelyAxes(verdict, reader, location) {
            let judge = try Judge(builder.request.mirrored(axis), name: name, options: options)
            guard let place = try? RecordingLocation(reader, judge.loader, options, name: name) else { continue }
            let mirrored = try judge.verdict(path, reader, place)
            // The mirroring is a finding itself, so it must replace two others or explain all.
            guard mirrored.isSimpler(than: verdict, by: mirrored.findings == 0 ? 1 : 2),
                verdict.reason == nil || mirrored.isSimple,
                let fit = mirrored.fit
            else { continue }
            let words = axis == .horizontal ? "left to right" : "top to bottom"
            let finding = Deviation(kind: .mirrored, text: "the drawing is mirrored \(words)", weight: 1)
            return Verdict(
                file: path, loader: name, outcome: .differs, fit: fit, deviations: [finding] + mirrored.deviations,
                notes: mirrored.notes, curve: mirrored.curve)
        }
        return nil
    }

    /// Returns the directions in which the mirrored loader looks at some times more like the
    /// recording than the loader at any, where the loader was found.
    private func likelyAxes(
        _ verdict: Verdict, _ reader: ClipReader, _ location: RecordingLocation
    ) throws -> [MirrorAxis] {
        var pose = location.pose
        if let fit = verdict.fit { (pose.scale, pose.origin) = (fit.scale, fit.origin) }
        let empty = JudgedView(location.region(of: Rect(size: loader.canvas), options), location.survey)
        let view = try JudgedView.read([empty], reader, location.survey)[0]
        let frames = Judge.sampled(view.frames.count, Self.mirrorFrames).map { view.planes($0).values }
        let renderer = try ModelRenderer(view, builder.elements)
        let period = loader.period.double
        func difference(_ loader: any Loader) throws -> Double {
            let model = LoaderModel(loader: loader, pose: pose, background: location.survey.background)
            let drawings = try (0..<Self.mirrorInstants).map { step in
                try renderer.planes(model, at: period * Double(step) / Double(Self.mirrorInstants)).values
            }
            return frames.reduce(0) { sum, frame in
                sum + (drawings.map { SampleSums.squaredDifference(frame, $0) }.min() ?? 0)
            }
        }
        let own = try difference(loader)
        return try MirrorAxis.allCases.filter { try difference(loader.mirrored($0)) < Self.maxMirroredShare * own }
    }
}
