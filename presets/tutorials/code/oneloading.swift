// Redrawn whenever progress changes.
func draw(progress p: CGFloat) {
    let o = .pi * (3.5 - 1.5 * p)
    let d = .pi * (3.0 - 3.0 * p)
    let arc = UIBezierPath(
        arcCenter: center, radius: 40,
        startAngle: o, endAngle: d,
        clockwise: false)
    arc.lineWidth = 2
    arc.stroke()
}
