import Core
import Media
import Render

/// The settings that a file size limit led to, found from the file itself.
///
/// `encode` lowers quality, frame rate and dimensions step by step until the file fits, and keeps
/// no record of it. Each step has its own frame rate and dimensions, or differs in quality alone,
/// which does not change the expected frames.
package struct LimitedPlan: Sendable {
    /// The plan with the settings of the file, without a limit.
    package let plan: RenderPlan
    /// The changed settings in words; nil if the file has those of the request.
    package let words: String?

    /// Finds the step of a plan with the dimensions and frame rate of a file. If no step has them,
    /// or the file cannot be read, the plan is the requested one.
    package init(_ requested: RenderPlan, like path: String, _ limits: ClipLimits) {
        guard let file = try? InputFile.clip(path: path), let structure = try? FileStructure(file),
            let stream = try? FrameStreams.open(file, structure, limits).description,
            let survey = try? PacketSurvey(file, structure, stream, limits)
        else {
            plan = requested
            words = nil
            return
        }
        let interval = survey.grid.step * stream.clock
        let rate = survey.grid.count > 1 && interval > 0 ? 1 / interval : nil
        let step = Self.step(of: requested, width: stream.width, height: stream.height, rate: rate)
        guard let step, !step.isNone, let made = try? requested.making(step) else {
            plan = requested
            words = nil
            return
        }
        plan = made
        words = step.words(besides: requested)
    }

    /// Returns the step with the dimensions of a file whose frame rate is closest to the file's;
    /// nil if no step has the dimensions. The result has no quality, which a file does not show.
    private static func step(of plan: RenderPlan, width: Int, height: Int, rate: Double?) -> QualityStep? {
        let requested = plan.encoder.frameRate.framesPerSecond.double
        func distance(_ step: QualityStep) -> Double {
            guard let rate else { return 0 }
            let other = step.frameRate?.framesPerSecond.double ?? requested
            return max(rate, other) / min(rate, other)
        }
        let matching = plan.qualitySteps.filter { step in
            guard case .pixels(let stepWidth, let stepHeight)? = step.size else {
                return (width, height) == (plan.width, plan.height)
            }
            return (width, height) == (stepWidth, stepHeight)
        }
        return matching.min { distance($0) < distance($1) }?.withoutQuality
    }
}
