import Core
import Render

/// The analysis of a clip in two ways: the tracks of coloured objects with their phase table, and
/// shapes with keyframes. Either may fail where the other succeeds.
package struct MotionAnalysis {
    /// The size of the clip in pixels.
    package let width: Int
    package let height: Int
    /// The duration of the clip in seconds.
    package let duration: Double
    /// The tracks and their table, or the reason why there are none.
    package let tracks: Result<ClipAnalysis, any Error>
    /// The shapes, or the reason why there are none.
    package let shapes: Result<Reconstruction, any Error>

    /// The error that says why there is neither a table nor shapes; nil if there is one of them.
    /// Tracks without a table say too little about a motion.
    package var refusal: (any Error)? {
        if case .success(let analysis) = tracks, analysis.phases != nil { return nil }
        guard case .failure(let error) = shapes else { return nil }
        return error
    }

    /// Analyses a clip. Throws `LoadervidError` if the file does not exist (`missingInput`), or if
    /// it is not a complete video, exceeds the limits, has a cut, or if there are neither tracks
    /// nor shapes (`badData`). Other errors are those of reading and of the system.
    package init(path: String, limits: ClipLimits = ClipLimits()) throws {
        let reader = try ClipReader(path: path, limits: limits)
        let survey: ClipSurvey
        do { survey = try ClipSurvey(reader) } catch { throw LoadervidError(error) }
        width = survey.width
        height = survey.height
        duration = survey.duration
        // Each way decodes the file itself, so that neither waits for the other.
        let reconstruction = OrderedTasks<Result<Reconstruction, any Error>>(threads: 1)
        reconstruction.submit { try Self.attempt { try Reconstruction(reader, survey) } }
        tracks = try Self.attempt { try ClipAnalysis(reader, survey) }
        guard let found = try reconstruction.next() else {
            throw LoadervidError(.internal, "\(path) was not reconstructed")
        }
        shapes = found
        if case .failure = tracks, case .failure(let error) = shapes { throw error }
    }

    /// Returns a result, or the reason in the clip why there is none. Throws all other errors.
    private static func attempt<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
        do { return .success(try body()) } catch {
            let failure = LoadervidError(error)
            guard failure.kind == .badData else { throw failure }
            return .failure(failure)
        }
    }

    /// The reasons why the table or a part of the clip is missing.
    package var doubts: [String] {
        var doubts: [String] = []
        switch tracks {
        case .success(let analysis): doubts += analysis.doubt.map { [$0] } ?? []
        case .failure(let error): doubts.append("\(error)")
        }
        switch shapes {
        case .success(let clip): doubts += clip.gaps.map { "from \($0.time.roundedToThousandths) s: \($0.text)" }
        case .failure(let error): doubts.append("\(error)")
        }
        return doubts
    }
}
