import CTermination
import Core
import Render

/// Handling of SIGINT, SIGTERM and SIGHUP.
///
/// Until the token is used, these signals end the program at once, and temporary files are removed.
/// From then on the program has two seconds to stop in order; another signal, at least one second
/// after the first, ends it at once.
enum Interruption {
    /// The token that the signals cancel.
    static let token: CancellationToken = {
        lv_termination_defer()
        return CancellationToken { lv_termination_is_requested() }
    }()

    /// Installs the signal handlers. Signals that were ignored when the program started, as by
    /// `nohup`, stay ignored.
    static func listen() {
        lv_termination_set_name(Program.name.visible)
        lv_termination_listen()
    }

    /// True if one of the signals was received.
    static var isRequested: Bool { lv_termination_is_requested() }

    /// Records that the message for the end of the program has been printed, so that the signal
    /// handler does not print its own.
    static func wasReported() { lv_ending_was_reported() }
}
