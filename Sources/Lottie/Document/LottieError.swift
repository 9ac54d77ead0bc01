/// The reason why a Lottie file cannot be rendered.
struct LottieError: Error, CustomStringConvertible {
    /// The JSON path of the invalid value, such as `layers[2].ks.p`; empty for the whole file.
    var path: String
    /// The problem, in one line.
    var problem: String
    /// True if memory could not be allocated.
    let isOutOfMemory: Bool

    /// The error for memory that could not be allocated while the file was read.
    static let outOfMemory = LottieError(
        "not enough memory to read the file; raise the memory limit (ulimit -v)", isOutOfMemory: true)

    init(_ problem: String, at path: String = "", isOutOfMemory: Bool = false) {
        self.isOutOfMemory = isOutOfMemory
        self.problem = problem.singleLine(atMost: 400)
        self.path = path.singleLine(atMost: 200)
    }

    var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}

/// A feature of a Lottie file that is not drawn.
package struct UnsupportedFeature: Sendable, Hashable, CustomStringConvertible {
    /// The JSON path, such as `layers[2].ef[0]`.
    package let path: String
    /// The kind of feature and its name in the file, such as `the effect 'Warp' (type 34)`.
    package let feature: String

    init(path: String, feature: String) {
        self.path = path.singleLine(atMost: 200)
        self.feature = feature.singleLine(atMost: 300)
    }

    /// The path and the feature, separated by a colon.
    package var description: String { "\(path): \(feature)" }
}

extension [UnsupportedFeature] {
    /// Returns a line for each of the first features, and one with the number of the others.
    func lines(_ line: (UnsupportedFeature) -> String) -> [String] {
        let first = prefix(LottieLimits.maxReportedFeatures).map(line)
        return count > first.count ? first + ["and \(count - first.count) more"] : first
    }
}
