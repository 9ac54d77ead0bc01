/// The table of directions that objects run through, each beginning at another stage.
public struct StageTable: Sendable, Hashable {
    /// The direction of each stage: -1, 0 or +1.
    public let directions: [Int]
    /// For each object the stage it is in during the clip's first phase.
    public let starts: [Int]

    /// The article's table for QQ Mail's balls; a table that is a rotation of it is given in its form.
    static let article = [-1, 1, 1, -1, 0, 0]

    /// The shortest table that all objects run through; nil if there is none, or the clip does not show that there is.
    ///
    /// - Parameter rows: each object's direction in each phase of the clip; nil where it could not be told.
    init?(rows: [[Int?]]) {
        let phases = rows.first?.count ?? 0
        guard phases >= 2 else { return nil }
        for length in 2...phases {
            guard let table = StageTable.table(of: length, rows) else { continue }
            self = table
            return
        }
        return nil
    }

    private init(_ directions: [Int], _ starts: [Int]) { (self.directions, self.starts) = (directions, starts) }

    private static func table(of length: Int, _ rows: [[Int?]]) -> StageTable? {
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
        // One object alone must be seen to repeat itself; several confirm each other.
        guard rows.count > 1 || 2 * repeats >= length else { return nil }
        guard let aligned = align(folded, length) else { return nil }
        let directions = aligned.table.compactMap { $0 }
        guard directions.count == length, directions.reduce(0, +) == 0, directions.contains(where: { $0 != 0 }) else {
            return nil
        }
        return StageTable(directions, aligned.starts).inArticleForm
    }

    /// Turns the rows so that they agree; nil if they cannot.
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

    /// The same table turned to the article's form if it is one of its rotations, or else to begin with the first
    /// object's first stage.
    private var inArticleForm: StageTable {
        let count = directions.count
        let shift = (0..<count).first { shift in
            (0..<count).map { directions[($0 + shift) % count] } == StageTable.article
        }
        let turn = shift ?? starts[0]
        return StageTable(
            (0..<count).map { directions[($0 + turn) % count] }, starts.map { ($0 - turn + count) % count })
    }

    /// The stages that an object goes through in so many phases.
    func stages(of object: Int, phases: Int) -> [Int] {
        (0..<phases).map { (starts[object] + $0) % directions.count }
    }

    /// How far an object is from where it was when the clip's first phase began, in offsets; `phases` may be negative.
    func displacement(of object: Int, phases: Int, fraction: Double) -> Double {
        let count = directions.count
        func direction(_ phase: Int) -> Int { directions[((starts[object] + phase) % count + count) % count] }
        // Whole cycles lead nowhere.
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
