import CEndings
import Pipeline

/// A wish to stop, from SIGINT, SIGTERM or SIGHUP.
///
/// Until somebody asks for the token these signals end the program at once, with nothing left behind. From then on there are
/// two seconds for an end in its own order; another signal, a second later or more, shortens that.
enum Interruption {
    /// Is cancelled by the signals.
    static let token: CancellationToken = {
        lv_endings_be_patient()
        return CancellationToken { lv_ending_is_wanted() }
    }()

    /// Begins to listen, for as long as the program runs. Signals that whoever started it wants to be ignored stay so.
    static func listen() {
        lv_endings_set_name(Program.name.visible)
        lv_endings_listen()
        lv_endings_catch_crashes()
    }

    /// Whether a signal has come.
    static var isWanted: Bool { lv_ending_is_wanted() }

    /// Says that the user knows why the program ends.
    static func wasTold() { lv_ending_was_told() }
}
