/// The frames of a recording by how well they determine their model time.
struct FrameEvidence {
    /// True for each frame that shows the same as the previous one although the loader moves.
    private(set) var isStill: [Bool] = []
    /// True for each frame before which the loader moves by more than noise.
    private(set) var isInformative: [Bool] = []
    /// True for each frame that determines its model time.
    private(set) var isCertain: [Bool] = []
    /// True for each frame that determines its model time with half the evidence: enough for a
    /// frame that was swapped with another.
    private(set) var isLikely: [Bool] = []
    /// True for each frame that shows hardly anything.
    let isBlank: [Bool]
    /// The minimum change from one frame to the next that is motion, not noise.
    let minMotion: Double
    /// The frames from the first to the last that show the loader moving.
    private(set) var body: Range<Int> = 0..<0

    /// The change of a frame, relative to that of the moving loader, below which it stands still.
    /// It is not 0, because encoders draw a repeated frame differently.
    static let stillShare = 0.12
    /// The squared motion of a frame, relative to the median, below which an encoder may drop it:
    /// that of a motion at a third of the usual speed.
    private static let minInformativeShare = 0.1
    /// The squared motion of a frame, relative to the fastest tenth, below which an encoder may
    /// drop it in loaders that mostly rest: that of a motion at a sixth of the fastest speed.
    private static let fastShare = 0.03
    /// The squared motion of a frame, in multiples of the noise, below which it may be noise.
    private static let noiseMargin = 3.0
    /// The maximum noise in a still frame, relative to the motion that it lacks. Without a limit, a
    /// moving frame of a noisy recording would count as still.
    private static let maxNoiseShare = 0.1
    /// The drawing of a frame, relative to the median, below which it is blank. Objects that cover
    /// each other leave a seventh of QQ Mail's drawing.
    static let minDrawing = 0.1
    /// The energy that remains after alignment, relative to the drawing's, above which a frame
    /// shows something else, unless other frames fit as poorly.
    private static let poorFit = 0.05
    /// The energy after alignment, in multiples of the median, up to which a frame shows the loader
    /// regardless of `poorFit`.
    private static let maxAligned = 3.0
    /// The energy of the shift `evidenceShift`, relative to the median energy after alignment,
    /// above which it is visible: half of the amplitude of the rest.
    private static let minShiftEnergy = 0.25
    /// The shift in model time, in seconds, that must be visible in a frame whose time is certain:
    /// a frame at 60 Hz. It depends on the recording alone, not on the tolerance.
    private static let evidenceShift = 0.017
    /// The difference of a frame's time from the designed one, in frames, below which both count as
    /// equal: less than a missing frame, more than the rounding of times to half a frame.
    private static let sameTime = 0.75
    /// The energy at the designed time above which another time is certain, relative to the larger
    /// of the energy at the other time and the median of all frames. Encoders repeat parts of
    /// frames for small motions, at up to three times the energy.
    static let minTimeGain = 4.0

    /// - Parameters:
    ///   - speed: the fitted speed, in seconds of model time per second.
    ///   - step: the median interval of the frames in seconds.
    init(_ frames: [AlignedFrame], speed: Double, step: Double) {
        let motion = frames.indices.map { index -> Double in
            let seconds = index > 0 ? speed * (frames[index].time - frames[index - 1].time) : 0
            return frames[index].sensitivity * seconds * seconds
        }
        // The changes besides the motion, measured in all frames because the loader may never rest.
        let noise = zip(frames, motion).map { max(0, $0.change - $1) }.sorted()[frames.count / 4]
        let sorted = motion.sorted()
        minMotion = max(
            Self.noiseMargin * noise, Self.minInformativeShare * sorted[frames.count / 2],
            Self.fastShare * sorted[9 * frames.count / 10])
        let drawing = frames.map(\.drawingEnergy).median ?? 0
        isBlank = frames.map { $0.drawingEnergy < Self.minDrawing * drawing }
        let gains = timeGains(frames, drawing: drawing, noise: noise, sameTime: Self.sameTime * step * abs(speed))
        isCertain = gains.map { $0 > Self.minTimeGain }
        isLikely = gains.map { $0 > Self.minTimeGain / 2 }
        isInformative = motion.map { [minMotion] in $0 > minMotion }
        isStill = frames.indices.map { index in
            let change = frames[index].change
            if isInformative[index] {
                return change < Self.stillShare * motion[index] + min(noise, Self.maxNoiseShare * motion[index])
            }
            // The design has left a rest that the frame still shows.
            return frames[index].isBehind && change < Self.stillShare * minMotion
        }
        body = drawnRange(of: frames)
    }

    /// Returns how clearly each frame shows its time; 0 for frames that do not determine it.
    ///
    /// - Parameters:
    ///   - drawing: the median energy of the drawing.
    ///   - sameTime: the difference from the designed time, in seconds, below which both count as
    ///     equal.
    private func timeGains(
        _ frames: [AlignedFrame], drawing: Double, noise: Double, sameTime: Double
    ) -> [Double] {
        let floor = frames.map(\.alignedEnergy).median ?? 0
        let changes = frames.map { max(0, $0.change - noise) }
        return frames.indices.map { index in
            let frame = frames[index]
            // A frame in a rest shows the whole rest, regardless of how precisely its drawing gives
            // the time.
            let change = max(changes[index], index + 1 < frames.count ? changes[index + 1] : 0)
            guard change > Self.stillShare * minMotion,
                frame.sensitivity * Self.evidenceShift * Self.evidenceShift > Self.minShiftEnergy * floor,
                frame.alignedEnergy < max(Self.maxAligned * floor, Self.poorFit * frame.drawingEnergy),
                frame.drawingEnergy > Self.minDrawing * drawing
            else { return 0 }
            let isByDesign = abs(frame.modelTime - frame.expected) < sameTime
            return isByDesign ? .infinity : frame.energy / max(floor, frame.alignedEnergy)
        }
    }

    /// Returns the frames without the blank ones and the standstills at both ends.
    private func drawnRange(of frames: [AlignedFrame]) -> Range<Int> {
        var first = 0
        while first < frames.count - 1, isBlank[first] { first += 1 }
        while first < frames.count - 1, isStill[first + 1] { first += 1 }
        var last = frames.count
        while last > first + 1, isBlank[last - 1] { last -= 1 }
        while last > first + 1, isStill[last - 1] { last -= 1 }
        return first..<last
    }
}

extension AlignedFrame {
    /// The energy at the designed time, relative to the drawing's, above which a frame that shows
    /// the loader at rest is late.
    private static let minLag = 0.01
    /// The minimum energy at the designed time, relative to that at the aligned one, for another
    /// time to explain a frame better. A difference in space leaves as much at both.
    static let minJumpGain = 2.5

    /// True if the frame visibly differs from the design at its time.
    var isBehind: Bool { energy > max(Self.minLag * drawingEnergy, Self.minJumpGain * alignedEnergy) }
}
