if s == 0 { return circle }
let r1 = 15 - s / 6
let r2 = 12 - s / 6
let bottomCenter = topCenter.by(0, s)
let rightPathC = topCenter.by(r2, s / 2)
let leftPathC = topCenter.by(-r2, s / 2)
path.arc(topCenter, r1)
path.addQuadCurve(to: bottomRight,
    controlPoint: rightPathC)
path.arc(bottomCenter, r2)
path.addQuadCurve(to: topLeft,
    controlPoint: leftPathC)
