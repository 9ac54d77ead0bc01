import Platform
import Dispatch

/// The machine's cores, shared by pipelines that run at the same time: no more of them are taken than there are. Second
/// threads of encoders of single segments are not counted, since they mostly wait for the first.
public final class CoreBudget: Sendable {
    private struct State {
        var free: Int
        /// Who waits, first come first.
        var waiting: [(count: Int, turn: DispatchSemaphore)] = []
    }

    /// How many cores there are.
    public let count: Int
    private let state: Locked<State>

    /// A budget of `count` cores, at least one.
    public init(_ count: Int) {
        self.count = max(1, count)
        state = Locked(State(free: max(1, count)))
    }

    /// Takes cores, all if there are fewer than asked for, as soon as they are free.
    package func take(_ wanted: Int) {
        let wanted = min(wanted, count)
        let turn = state.withLock { state -> DispatchSemaphore? in
            if state.waiting.isEmpty, state.free >= wanted {
                state.free -= wanted
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            state.waiting.append((wanted, turn))
            return turn
        }
        turn?.wait()
    }

    /// Gives cores back that were taken with the same number.
    package func giveBack(_ wanted: Int) {
        state.withLock { state in
            state.free += min(wanted, count)
            while let next = state.waiting.first, next.count <= state.free {
                state.free -= next.count
                state.waiting.removeFirst()
                next.turn.signal()
            }
        }
    }
}

/// What one worker has of a budget, or of none. It can be taken from it, if it does not come back by itself.
final class CoreShare: Sendable {
    private let budget: CoreBudget?
    private let count: Int
    private let isHeld = Locked(false)

    /// A share of `count` cores, not yet taken.
    init(of budget: CoreBudget?, count: Int) { (self.budget, self.count) = (budget, count) }

    /// Whether the worker has its cores. Where there is no budget it always has.
    var isTaken: Bool { budget == nil || isHeld.withLock { $0 } }

    /// Takes the cores as soon as they are free.
    func take() {
        budget?.take(count)
        isHeld.withLock { $0 = true }
    }

    /// Gives the cores back, unless that was done already.
    func giveBack() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { budget?.giveBack(count) }
    }
}
