let gap = S.distance(to: M) - F - u
guard gap < 20 else { return }
let middle = (S.x + M.x) / 2
path.move(to: topOfS)
path.addQuadCurve(
    to: CGPoint(x: M.x, y: M.y - u),
    controlPoint: CGPoint(x: middle,
                          y: M.y - u))
path.halfCircle(about: M, radius: u)
// The same below, back to S.
path.mirrorAndClose()
