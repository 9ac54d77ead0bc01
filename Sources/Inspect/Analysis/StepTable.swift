/// The table of directions that all objects follow, each starting at its own step.
package struct StepTable: Sendable, Hashable {
    /// The direction of each step: -1, 0 or +1.
    package let directions: [Int]
    /// For each object, its step in the clip's first phase.
    package let starts: [Int]

    /// The table of QQ Mail's balls in the article. A rotation of it is returned in this form.
    static let article = [-1, 1, 1, -1, 0, 0]

    /// Finds the shortest table that all objects follow. Returns nil if there is none, or if the
    /// clip is too short to show it.
    ///
    /// - Parameter rows: each object's direction in each phase of the clip; nil where it is
    ///   unknown.
    init?(rows: [[Int?]]) {
        let phases = rows.first?.count ?? 0
        guard phases >= 2 else { return nil }
        for length in 2...phases {
            guard let table = StepTable.table(of: length, rows) else { continue }
            self = table
            return
        }
        return nil
    }

    private init(_ directions: [Int], _ starts: [Int]) {
        self.directions = directions
        self.starts = starts
    }

    private static func table(of length: Int, _ rows: [[Int?]]) -> StepTable? {
        var folded: [[Int?]] = []
        var repeats = 0
        for row in rows {
            var fold = [Int?](repeating: nil, count: length)
            for (phase, direction) in row.enumerated() {
                guard let direction else { continue }
                if let known = fold[phase % length] {
                    guard known == direction else { return nil }
                    repeats += 1
                } else {
                    fold[phase % length] = direction
                }
            }
            folded.append(fold)
        }
        // A single object must visibly repeat itself. Several objects confirm each other.
        guard rows.count > 1 || 2 * repeats >= length else { return nil }
        guard let aligned = align(folded, length) else { return nil }
        let directions = aligned.table.compactMap { $0 }
        guard directions.count == length, directions.reduce(0, +) == 0, directions.contains(where: { $0 != 0 }) else {
            return nil
        }
        return StepTable(directions, aligned.starts).inArticleForm
    }

    /// Rotates the rows so that they agree. Returns nil if they cannot.
    private static func align(_ rows: [[Int?]], _ length: Int) -> (table: [Int?], starts: [Int])? {
        func known(_ row: [Int?]) -> Int { row.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }
        let order = rows.indices.sorted { known(rows[$0]) > known(rows[$1]) }
        var table = rows[order[0]]
        var starts = [Int](repeating: 0, count: rows.count)
        for index in order.dropFirst() {
            var best: (start: Int, matches: Int)?
            for start in 0..<length {
                let pairs = rows[index].enumerated().map { (table[(start + $0.offset) % length], $0.element) }
                let clash = pairs.contains { $0.0 != nil && $0.1 != nil && $0.0 != $0.1 }
                let matches = pairs.reduce(0) { $0 + ($1.0 != nil && $1.1 != nil ? 1 : 0) }
                if !clash, matches * 3 >= 2 * known(rows[index]), matches > best?.matches ?? 0 {
                    best = (start, matches)
                }
            }
            guard let best else { return nil }
            starts[index] = best.start
            for (offset, direction) in rows[index].enumerated() where direction != nil {
                table[(best.start + offset) % length] = direction
            }
        }
        return (table, starts)
    }

    /// The table, rotated to the article's form if possible, or else to begin with the first
    /// object's first step.
    private var inArticleForm: StepTable {
        let count = directions.count
        let shift = (0..<count).first { shift in
            (0..<count).map { directions[($0 + shift) % count] } == StepTable.article
        }
        let turn = shift ?? starts[0]
        return StepTable(
            (0..<count).map { directions[($0 + turn) % count] }, starts.map { ($0 - turn + count) % count })
    }

    /// Returns the steps of an object in the first `phases` phases.
    func steps(of object: Int, phases: Int) -> [Int] {
        (0..<phases).map { (starts[object] + $0) % directions.count }
    }

    /// Returns the displacement of an object since the start of the clip's first phase, in offsets.
    /// `phases` may be negative.
    func displacement(of object: Int, phases: Int, fraction: Double) -> Double {
        let count = directions.count
        func direction(_ phase: Int) -> Int { directions[((starts[object] + phase) % count + count) % count] }
        // Whole cycles have no displacement.
        let whole = phases % count
        var sum = 0
        if whole >= 0 {
            for phase in 0..<whole { sum += direction(phase) }
        } else {
            for phase in whole..<0 { sum -= direction(phase) }
        }
        return Double(sum) + Double(direction(phases)) * fraction
    }
}
