import Core

/// The references between the layers of a composition: parents and track mattes, by number.
struct LayerLinks {
    private let fields: [Field]
    private let context: ParseContext

    /// The links between the layers of a composition.
    ///
    /// - Parameter fields: the layers in the file.
    init(_ fields: [Field], _ context: ParseContext) {
        self.fields = fields
        self.context = context
    }

    /// Resolves the numbers to indices. Throws `LottieError` for missing mattes and cycles.
    func connect(_ layers: [Layer]) throws {
        // The indices of the layers by number (`ind`).
        var indices: [Int: Int] = [:]
        for (index, layer) in layers.enumerated() { if let number = layer.index { indices[number] = index } }
        // The layers whose parent is missing.
        var orphans: Set<Int> = []
        for (index, field) in fields.enumerated() {
            if let number = try field.layerNumber("parent") {
                layers[index].parent = indices[number]
                if indices[number] == nil { orphans.insert(index) }
                context.noteFeature("parents")
            }
            try connectMatte(of: index, in: layers, indices)
        }
        for index in layers.indices { try checkChains(of: index, in: layers) }
        try detach(orphans, in: layers)
    }

    private func connectMatte(of index: Int, in layers: [Layer], _ indices: [Int: Int]) throws {
        let field = fields[index]
        let mode = try field.integer("tt") ?? 0
        if let matte = try field.setMatte(), let source = indices[matte.source], source != index {
            guard !(1...4).contains(mode) else {
                return field.reportUnsupported("a Set Matte effect on a layer with a track matte")
            }
            layers[index].matte = Layer.Matte(
                source: source, isLuma: matte.isLuma, isInverted: matte.isInverted, isEffect: true)
            return context.noteFeature("set matte")
        }
        guard (1...4).contains(mode) else { return }
        // Without a number, the matte is the layer above.
        let number = try field.layerNumber("tp")
        if let number, indices[number] == nil { throw field.error("there is no layer \(number) (tp)") }
        let source = number.flatMap { indices[$0] } ?? index - 1
        guard layers.indices.contains(source), source != index else {
            throw field.error("the track matte (tt) has no matte layer")
        }
        layers[index].matte = Layer.Matte(source: source, isLuma: mode > 2, isInverted: mode % 2 == 0)
        layers[source].isHidden = true
    }

    private func checkChains(of index: Int, in layers: [Layer]) throws {
        var next = layers[index].parent
        var chain: [Int] = []
        while let parent = next {
            guard parent != index, !chain.contains(parent) else {
                let problem = chain.isEmpty ? "the layer is its own parent" : "the parents of the layer form a cycle"
                throw fields[parent].error("\(problem) (parent)")
            }
            chain.append(parent)
            guard chain.count <= LottieLimits.maxParents else {
                throw fields[index].error(
                    "the chain of parents (parent) is longer than the maximum of \(LottieLimits.maxParents)")
            }
            next = layers[parent].parent
        }
        var matte = layers[index].matte?.source
        var matteCount = 0
        while let source = matte {
            matteCount += 1
            guard matteCount <= LottieLimits.maxNesting else {
                throw fields[index].error(
                    "the chain of track mattes (tt, tp) is a cycle, or longer than the maximum of "
                        + "\(LottieLimits.maxNesting)"
                )
            }
            matte = layers[source].matte?.source
        }
    }

    /// Removes the parents of layers whose chain of parents ends at a missing layer. lottie-web
    /// ignores such a chain as a whole.
    private func detach(_ orphans: Set<Int>, in layers: [Layer]) throws {
        guard !orphans.isEmpty else { return }
        let parents = layers.map(\.parent)
        for index in layers.indices {
            var last = index
            while let parent = parents[last] { last = parent }
            if orphans.contains(last) { layers[index].parent = nil }
        }
        for index in orphans.sorted() {
            let number = try fields[index].layerNumber("parent") ?? 0
            fields[index].note(
                "the parent layer \(number) (parent) does not exist, so this layer and its children are drawn without "
                    + "parents")
        }
    }
}

extension Field {
    /// Returns the number of a layer at a key; nil if the key is missing. Some tools write random
    /// numbers of many digits.
    func layerNumber(_ key: String) throws -> Int? {
        guard let field = self[key] else { return nil }
        guard case .number(let number) = field.json else { return try integer(key) }
        // Larger ones are not exact in JSON.
        guard abs(number) <= 9_007_199_254_740_992 else {
            throw field.error("the layer number \(number) is above the maximum of 2^53")
        }
        return Int(number.rounded())
    }
}
