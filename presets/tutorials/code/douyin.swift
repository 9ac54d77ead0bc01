flight.path = curve.cgPath
turn.values = [0, 0.1 * pi, -0.1 * pi]
fade.values = [0, 0.2, 0.7, 0.2, 0]
grow.fromValue = 1
grow.toValue = 2

group.animations = [flight, turn,
                    fade, grow]
group.duration = 3
group.beginTime = now + delay
group.repeatCount = .infinity
note.add(group, forKey: nil)
