import Animations
import Core
import Media
import Render

/// A judge of recordings of a loader, which returns a verdict on each.
package struct Judge: Sendable {
    /// The loader's name, as the caller wrote it.
    let name: String
    let builder: ModelBuilder
    let loader: any Loader
    let options: JudgeOptions

    /// A judge of recordings of a requested loader. Throws `LoadervidError` if its settings are not
    /// valid.
    package init(_ request: LoaderRequest, name: String, options: JudgeOptions) throws {
        self.name = name
        self.options = options
        loader = try LoaderRenderer(request).loader
        var elements = LoaderElements(loader)
        elements.rename(by: ModelBuilder(request: request, elements: elements).parameterVariants(), of: loader)
        let values = (loader as? any KeyframedLoader)?.layerProperties ?? [:]
        builder = ModelBuilder(request: request, elements: elements, layerValues: values)
    }

    /// Judges a recording. Throws `LoadervidError` of kind `badData` or `missingInput` if it cannot
    /// be read.
    package func verdict(of path: String) throws -> Verdict {
        let reader = try ClipReader(path: path, limits: options.limits)
        let location: RecordingLocation
        do { location = try RecordingLocation(reader, loader, options, name: name) } catch let error
            as UnjudgeableRecording
        {
            return try turnedVerdict(of: path, reader) ?? Verdict(file: path, loader: name, reason: error.reason)
        }
        var verdict = try verdict(path, reader, location)
        if let filling = try fillingVerdict(of: path, reader, location, insteadOf: verdict) { verdict = filling }
        if let other = try reorientedVerdict(of: path, reader, location, insteadOf: verdict) { return other }
        // If one element is missing or has another speed, the whole loader may seem to have another
        // speed, with further changes.
        guard location.pose.speed != options.speed, !verdict.isSimple,
            let other = try? RecordingLocation(atExpectedSpeedIn: location.survey, loader, options, name: name)
        else { return verdict }
        let expected = try self.verdict(path, reader, other)
        // A verdict that finds the other speed after all only misses the further changes.
        let hasSpeed = expected.deviations.contains { $0.kind == .speed }
        return !hasSpeed && expected.isSimpler(than: verdict) ? expected : verdict
    }

    /// The relative difference from the scale at which the canvas fills the frame above which a
    /// loader is also judged at that scale: a fit corrects less.
    private static let minScaleChange = 0.15

    /// Returns the verdict on a loader whose canvas fills the frame exactly, if the loader was
    /// found at another scale; nil if it does not explain the recording with fewer findings.
    ///
    /// If a part is missing or moves less, the other parts may look like the loader at another
    /// scale.
    private func fillingVerdict(
        of path: String, _ reader: ClipReader, _ location: RecordingLocation, insteadOf verdict: Verdict
    ) throws -> Verdict? {
        let survey = location.survey
        guard verdict.reason == nil, !verdict.isSimple, options.crop == nil,
            let scale = RecordedScale(loader, options).filling(survey.frame),
            abs(location.pose.scale / scale - 1) > Self.minScaleChange,
            let place = try RecordingLocation(filling: survey, loader, options, name: name, scale: scale)
        else { return nil }
        let other = try self.verdict(path, reader, place)
        return other.isSimpler(than: verdict) ? other : nil
    }

    func verdict(_ path: String, _ reader: ClipReader, _ location: RecordingLocation) throws -> Verdict {
        var recording = try JudgedRecording(path, reader, location, builder, loader, options, name)
        return try recording.verdict()
    }

    /// Returns up to `limit` indices below `count`, spread so that they follow no period.
    static func sampled(_ count: Int, _ limit: Int) -> [Int] {
        guard count > limit else { return Array(0..<count) }
        let stretch = Double(count) / Double(limit)
        return (0..<limit).map { index in
            // Multiples of the golden ratio's fraction are evenly distributed and never repeat.
            let shift = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
            return min(count - 1, Int((Double(index) + shift) * stretch))
        }
    }
}

/// The reason why a recording cannot be judged.
struct UnjudgeableRecording: Error {
    let reason: String
}

extension Verdict {
    /// The weight below which a finding is a remainder of others. It is 0 if it is unknown.
    private static let minWeight = 0.02

    /// The number of independent findings.
    var findings: Int {
        deviations.count { !$0.isAlternative && ($0.weight == 0 || $0.weight >= Self.minWeight) }
    }

    /// True if one finding explains the recording.
    var isSimple: Bool { reason == nil && findings < 2 }

    /// Returns true if fewer findings explain the recording.
    ///
    /// - Parameter count: the number by which they must be fewer.
    func isSimpler(than other: Verdict, by count: Int = 1) -> Bool {
        // All that is unexplained counts as one finding. A flash shows at any speed.
        let explains = !deviations.contains { $0.kind == .unexplained && !$0.isFlash }
        return reason == nil && (other.reason != nil || explains && findings + count <= other.findings)
    }
}
