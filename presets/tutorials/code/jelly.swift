let m = h + (c.y - h) / 2
let q = (c.y - h) / 4
let l3 = CGPoint(x: 0, y: m)
let l2 = CGPoint(x: c.x / 3, y: m)
let l1 = CGPoint(x: c.x * 2/3, y: m + q)
// r1, r2 and r3 likewise, from the right.
path.addCurve(to: l1,
    controlPoint1: l3, controlPoint2: l2)
path.addCurve(to: r1,
    controlPoint1: l1, controlPoint2: c)
path.addCurve(to: r3,
    controlPoint1: r1, controlPoint2: r2)
