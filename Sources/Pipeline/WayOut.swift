/// What can be changed so that it works, where how that is done depends on who asked: a command line has options for it,
/// another program a dialogue.
public enum WayOut: Sendable, Hashable, CustomStringConvertible {
    /// The output is there already.
    case overwriting
    /// The output is nothing that a file can be made of, such as a directory.
    case otherOutput
    /// Memory ended.
    case lessAtOnce
    /// A limit leaves less memory than this needs.
    case less
    /// The encoder does not work here.
    case otherCodec
    /// A picture that is read has more pixels than are allowed.
    case morePixels
    /// The pictures of a video that is read are more than are allowed.
    case morePictures
    /// A loader has other colours than a recording.
    case otherColors

    /// How a front end says them, for as long as it runs. Where it has no words, and unless there is one, general ones stand.
    @TaskLocal public static var words: [WayOut: String] = [:]

    /// What to do, as the end of a sentence.
    public var description: String { WayOut.words[self] ?? general }

    private var general: String {
        switch self {
        case .overwriting: "allow that it is overwritten, or use another name"
        case .otherOutput: "name a file"
        case .lessAtOnce: "raise the limit of memory (ulimit -v), or ask for less at once"
        case .less: "raise that (ulimit -v), or ask for less"
        case .otherCodec: "choose another codec"
        case .morePixels: "allow more if you trust it"
        case .morePictures: "allow more if you trust it"
        case .otherColors: "give the loader its colours, or compare another"
        }
    }
}
