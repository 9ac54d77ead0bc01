if s == 0 { return circle(T, radius: 15) }
let r1 = 15 - s / 6, r2 = 12 - s / 6
let B = CGPoint(x: T.x, y: T.y + s)
let R = CGPoint(x: T.x + r2, y: T.y + s/2)
let L = CGPoint(x: T.x - r2, y: T.y + s/2)
path.halfCircle(about: T, radius: r1)
path.addQuadCurve(to: bottomRight,
                  controlPoint: R)
path.halfCircle(about: B, radius: r2)
path.addQuadCurve(to: topLeft,
                  controlPoint: L)
path.close()
