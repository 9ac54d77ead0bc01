import Core
import Testing

/// Bounds and damage of groups with masks, effects and blend modes.
@Suite struct CompositingBoundsTests {
    private let square = Node.shape(Shape(.rectangle(Rect(x: 10, y: 10, width: 20, height: 20)), fill: .black))
    private let disc = Node.shape(Shape(.circle(center: Point(25, 25), radius: 5), fill: .black))

    private func damage(_ old: Node, _ new: Node) throws -> [Rect] {
        func scene(_ node: Node) -> Scene { Scene(size: Size(100, 100), background: .white, nodes: [node]) }
        return try #require(scene(new).damage(since: scene(old)))
    }

    @Test func effectsExtendBounds() {
        let rect = Rect(x: 10, y: 20, width: 30, height: 40)
        #expect(Effect.blur(Size(2, 3)).reach(of: rect) == Rect(x: 4, y: 11, width: 42, height: 58))
        let shadow = Effect.shadow(.black, offset: Point(50, 0), radius: 1, isShadowOnly: false)
        #expect(shadow.reach(of: rect) == Rect(x: 10, y: 17, width: 83, height: 46))
        let alone = Effect.shadow(.black, offset: Point(50, 0), radius: 1, isShadowOnly: true)
        #expect(alone.reach(of: rect) == Rect(x: 57, y: 17, width: 36, height: 46))
        #expect(Effect.fill(.black, amount: 1).reach(of: rect) == rect)
    }

    @Test func groupBoundsIncludeMaskEffectsAndTransform() {
        let plain = Rect(x: 10, y: 10, width: 20, height: 20)
        #expect(
            Node.group(Group(nodes: [square], mask: Mask([disc]))).bounds == Rect(x: 20, y: 20, width: 10, height: 10))
        #expect(Node.group(Group(nodes: [square], mask: Mask([disc], isInverted: true))).bounds == plain)
        #expect(Node.group(Group(nodes: [square], mask: Mask([]))).bounds == nil)
        #expect(
            Node.group(Group(nodes: [square], effects: [.blur(Size(1, 1))])).bounds
                == Rect(x: 7, y: 7, width: 26, height: 26))
        let twice = Group(transform: .scale(2), nodes: [square], effects: [.blur(Size(1, 1))])
        #expect(Node.group(twice).bounds == Rect(x: 14, y: 14, width: 52, height: 52))
    }

    /// Groups and masks keep the bounds of their nodes.
    @Test func boundsFollowChangesOfTheNodes() {
        let first = Rect(x: 10, y: 10, width: 20, height: 20)
        var group = Group(nodes: [square])
        #expect(Node.group(group).bounds == first)
        group.nodes = [disc]
        #expect(Node.group(group).bounds == Rect(x: 20, y: 20, width: 10, height: 10))
        group.nodes.insert(square, at: 0)
        #expect(Node.group(group).bounds == first)
        group.mask = Mask([])
        #expect(Node.group(group).bounds == nil)
        group.mask?.nodes.append(disc)
        #expect(Node.group(group).bounds == Rect(x: 20, y: 20, width: 10, height: 10))
        var clearing = Group(nodes: [square])
        #expect(!Node.group(clearing).reachesBeyondBounds)
        clearing.nodes.append(.group(Group(nodes: [disc], blendMode: .destinationIn)))
        #expect(Node.group(clearing).reachesBeyondBounds)
        #expect(clearing != Group(nodes: [square]) && clearing == Group(nodes: clearing.nodes))
    }

    @Test func damageInAGroupIncludesItsEffects() throws {
        let small = Node.shape(Shape(.rectangle(Rect(x: 60, y: 60, width: 2, height: 2)), fill: .black))
        let other = Node.shape(Shape(.rectangle(Rect(x: 70, y: 60, width: 2, height: 2)), fill: .black))
        let old = Group(nodes: [square, small], effects: [.blur(Size(1, 1))])
        let new = Group(nodes: [square, other], effects: [.blur(Size(1, 1))])
        let rects = try damage(.group(old), .group(new))
        #expect(rects.contains { $0.contains(Rect(x: 57, y: 57, width: 8, height: 8)) })
        #expect(rects.contains { $0.contains(Rect(x: 67, y: 57, width: 8, height: 8)) })
        #expect(rects.allSatisfy { $0.x > 50 }, "the square stays")
    }

    /// Inside an unchanged shape, pixels may change that the effect does not paint beyond it.
    @Test(arguments: [
        Effect.innerShadow(.black, offset: Point(2, 0), choke: 1, radius: 1), .grow(-5), .grow(5),
    ]) func damageInAGroupIncludesWhatItsEffectsChange(effect: Effect) throws {
        let groups = [60.0, 70].map { x in
            let small = Node.shape(Shape(.rectangle(Rect(x: x, y: 60, width: 2, height: 2)), fill: .black))
            return Node.group(Group(nodes: [square, small], effects: [effect]))
        }
        let rects = try damage(groups[0], groups[1])
        for x in [60.0, 70] {
            #expect(rects.contains { $0.contains(Rect(x: x - 1, y: 57, width: 8, height: 8)) }, "\(rects)")
        }
    }

    @Test func changedCompositingDamagesTheWholeGroup() throws {
        let group = Group(nodes: [square, disc])
        var changes = [group, group, group]
        changes[0].mask = Mask([disc])
        changes[1].blendMode = .multiply
        changes[2].effects = [.luminanceToAlpha]
        for change in changes {
            let rects = try damage(.group(group), .group(change))
            #expect(rects.contains { $0.contains(Rect(x: 10, y: 10, width: 20, height: 20)) })
            #expect(try damage(.group(change), .group(change)).isEmpty)
        }
    }

    /// Such a node clears everything before it, up to the layer or the scene that contains it.
    @Test func destinationInDamagesTheWholeSceneUnlessInALayer() throws {
        let clearing = Node.group(Group(nodes: [disc], blendMode: .destinationIn))
        let before = Scene(size: Size(100, 100), background: .white, nodes: [square])
        for added in [clearing, .group(Group(nodes: [square, clearing]))] {
            let after = Scene(size: Size(100, 100), background: .white, nodes: [square, added])
            #expect(after.damage(since: before) == nil && before.damage(since: after) == nil)
            #expect(after.damage(since: before, sharing: 1) == nil)
            #expect(after.damage(since: after) == [])
        }
        let layer = Node.group(Group(opacity: 0.5, nodes: [square, clearing]))
        let after = Scene(size: Size(100, 100), background: .white, nodes: [square, layer])
        #expect(after.damage(since: before) != nil)
    }

    @Test func destinationInDamagesTheWholeGroup() throws {
        var group = Group(opacity: 0.5, nodes: [square, .group(Group(nodes: [disc], blendMode: .destinationIn))])
        let old = Node.group(group)
        let moved = Node.shape(Shape(.circle(center: Point(12, 12), radius: 1), fill: .black))
        group.nodes[1] = .group(Group(nodes: [moved], blendMode: .destinationIn))
        let rects = try damage(old, .group(group))
        #expect(rects.contains { $0.contains(Rect(x: 10, y: 10, width: 20, height: 20)) })
    }

    /// Such a node clears its whole backdrop even if it has no bounds.
    @Test func emptyDestinationInDamagesTheWholeScene() throws {
        let before = Scene(size: Size(100, 100), background: .white, nodes: [square])
        var after = before
        after.nodes.append(.group(Group(nodes: [], blendMode: .destinationIn)))
        #expect(after.damage(since: before) == nil && before.damage(since: after) == nil)
        let (old, new) = (Group(opacity: 0.5, nodes: before.nodes), Group(opacity: 0.5, nodes: after.nodes))
        let rects = try damage(.group(old), .group(new))
        #expect(rects.contains { $0.contains(Rect(x: 10, y: 10, width: 20, height: 20)) })
    }

    /// Under a clip, a second node moves the first one to a layer of its own.
    @Test func secondNodeUnderAClipDamagesTheFirst() throws {
        let blended = Node.group(Group(nodes: [square], blendMode: .multiply))
        let far = Node.shape(Shape(.circle(center: Point(80, 80), radius: 5), fill: .black))
        let groups = [[blended], [blended, far]].map {
            Node.group(Group(clip: .circle(center: Point(50, 50), radius: 45), nodes: $0))
        }
        for (old, new) in [(0, 1), (1, 0)] {
            let rects = try damage(groups[old], groups[new])
            #expect(rects.contains { $0.contains(Rect(x: 10, y: 10, width: 20, height: 20)) })
        }
    }
}
