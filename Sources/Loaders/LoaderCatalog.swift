/// All loaders, by id.
public enum LoaderCatalog {
    /// The loaders in the order in which they are listed.
    public static let all: [any Loader.Type] = [
        IQIYI.self, QQ.self, QQPull.self, QQMail.self, PreLoader.self, Jelly.self, Douyin.self, OneLoading.self,
    ]

    /// The loader with an id. Throws one line with the nearest id, or all of them if none is near.
    public static func loader(id: String) throws(ParameterError) -> any Loader.Type {
        if let loader = all.first(where: { $0.id == id }) { return loader }
        let ids = all.map { $0.id }
        let hint = nearest(to: id, in: ids).map { "did you mean '\($0)'? There are" } ?? "there are"
        throw ParameterError(.usage, "there is no loader '\(id)': \(hint) \(ids.joined(separator: ", "))")
    }

    /// The known word with the smallest edit distance to `word`, if that is at most half its length.
    public static func nearest(to word: String, in known: [String]) -> String? {
        let ranked = known.map { (word: $0, distance: editDistance(word.lowercased(), $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.word.count / 2) ? best.word : nil
    }

    /// Levenshtein's distance: how many letters must be put in, taken out or changed.
    static func editDistance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.prefix(64)), Array(b))
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
