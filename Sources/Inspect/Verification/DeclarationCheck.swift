import Media
import Render

/// The check of a stream's declared timecode and profile against those of a plan.
enum DeclarationCheck {
    /// Returns findings about a stream. Its description is that after the first frame.
    ///
    /// - Parameter comparesProfile: false to accept any profile.
    static func findings(_ stream: StreamDescription, _ plan: RenderPlan, comparesProfile: Bool) -> [Finding] {
        var findings: [Finding] = []
        if let expected = plan.timecode?.text, stream.timecode.map(label(of:)) != label(of: expected) {
            findings.append(
                Finding(
                    .expectedTimecode, .error,
                    "the timecode is \(stream.timecode ?? "missing") instead of \(expected); encode the clip again"))
        }
        let name = comparesProfile ? plan.encoder.options["profile"] : nil
        if let name, let profile = plan.encoder.traits.profiles.first(where: { $0.name == name }),
            let found = stream.profile, ![profile.name, profile.alias ?? name].map(key(of:)).contains(key(of: found))
        {
            // FFmpeg's decoders spell the names differently from the encoders' options.
            let known = plan.encoder.traits.profiles.first { profile in
                [profile.name, profile.alias ?? profile.name].map(key(of:)).contains(key(of: found))
            }
            findings.append(
                Finding(
                    .expectedProfile, .error,
                    "the profile is \(known?.name ?? found) instead of \(name); encode the clip again or pass "
                        + "\(option: "profile")"))
        }
        return findings
    }

    /// Returns the numbers of a timecode, and a mark for drop frame. FFmpeg pads the frame to as
    /// many digits as the rate needs: one at 10 frames per second, three at 120.
    private static func label(of timecode: String) -> [String] {
        timecode.split { ":;".contains($0) }.map { String(Int($0) ?? -1) } + (timecode.contains(";") ? [";"] : [])
    }

    /// Returns the part of a profile's name in which FFmpeg's decoders and encoders agree, such as
    /// that of `DNXHR HQ` and `dnxhr_hq`.
    private static func key(of name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
