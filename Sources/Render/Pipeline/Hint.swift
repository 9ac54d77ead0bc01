/// A remedy whose wording depends on the front end: a command line names an option, another program
/// a dialog.
public enum Hint: Sendable, Hashable, CustomStringConvertible {
    /// The output already exists.
    case overwriting
    /// A batch's output already exists, and no batch made it.
    case overwritingOrRemoval
    /// The output is not a regular file, such as a directory.
    case otherOutput
    /// The output is not a regular file, and the command can also write to standard output.
    case otherOutputOrStandard
    /// The process ran out of memory.
    case lessAtOnce
    /// The memory limit is below the estimated need.
    case less
    /// The encoder does not work on this machine.
    case otherCodec
    /// An input image or frame has more pixels than allowed.
    case morePixels
    /// An input video has more pixels in all its frames than allowed.
    case moreTotalPixels
    /// An input file or directory does not exist.
    case missingFile
    /// A loader's colours differ from those of a recording.
    case otherColors
    /// A part of a recording's frame should be judged.
    case judgedPart
    /// The part of a recording's frame that is judged does not show the loader.
    case otherPart
    /// A part of a recording's time should be judged.
    case judgedTime
    /// A recording's scale is intended. The scale follows these words.
    case recordedScale
    /// A script must be at another path. The path follows these words.
    case otherScript

    /// The front end's wording. Hints without an entry use a general wording.
    @TaskLocal public static var words: [Hint: String] = [:]

    /// The remedy as the end of a sentence.
    public var description: String { Hint.words[self] ?? general }

    private var general: String {
        switch self {
        case .overwriting: "allow overwriting or choose another name"
        case .overwritingOrRemoval: "allow overwriting it, or remove it"
        case .otherOutput, .otherOutputOrStandard: "name a file"
        case .lessAtOnce: "raise the memory limit (ulimit -v) or do less at once"
        case .less: "raise the limit (ulimit -v) or reduce the size"
        case .otherCodec: "choose another codec"
        case .morePixels, .moreTotalPixels: "raise the limit if you trust the file"
        case .missingFile: "check the path"
        case .otherColors: "set the loader's colours or compare another loader"
        case .judgedPart: "give the part that shows the loader"
        case .otherPart: "give another part of the frame"
        case .judgedTime: "give its start and end"
        case .recordedScale: "give the scale"
        case .otherScript: "use the script path"
        }
    }
}
