extension ObjectAction.Kind {
    /// The verb for one object, for several, and in Chinese.
    var verb: (singular: String, plural: String, chinese: String) {
        switch self {
        case .drop: ("drops", "drop", "落下")
        case .rise: ("rises", "rise", "上升")
        case .left: ("moves left", "move left", "左移")
        case .right: ("moves right", "move right", "右移")
        case .bounce: ("bounces", "bounce", "弹跳")
        case .swing: ("swings", "swing", "摆动")
        case .turn: ("turns", "turn", "转动")
        case .grow: ("grows", "grow", "变大")
        case .shrink: ("shrinks", "shrink", "变小")
        case .pulse: ("pulses", "pulse", "脉动")
        case .fadeIn: ("fades in", "fade in", "淡入")
        case .fadeOut: ("fades out", "fade out", "淡出")
        case .blink: ("blinks", "blink", "闪烁")
        case .draw: ("draws itself", "draw themselves", "描线")
        case .erase: ("erases itself", "erase themselves", "擦去")
        case .morph: ("changes shape", "change shape", "变形")
        case .roll: ("rolls", "roll", "滚动")
        case .transform: ("turns and changes shape", "turn and change shape", "转动并变形")
        case .recolor: ("changes colour", "change colour", "变色")
        case .shuttle: ("moves back and forth", "move back and forth", "来回移动")
        case .sweep: ("draws and erases itself", "draw and erase themselves", "描线后擦去")
        case .move: ("moves", "move", "移动")
        }
    }
}
