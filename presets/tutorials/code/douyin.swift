flight.path = curve.cgPath
let sway = 0.1 * Double.pi
turn.values = [0, sway, -sway]
fade.values = [0, 0.2, 0.7, 0.2, 0]
grow.fromValue = 1
grow.toValue = 2
group.animations = [flight, turn,
                    fade, grow]
group.duration = 3
group.beginTime = now + delay
group.repeatCount = .infinity
note.add(group, forKey: nil)
