import Loaders

/// The language of captions, chapters and tables.
public enum Language: String, CaseIterable, Sendable {
    /// English.
    case en
    /// Simplified Chinese.
    case zh
}

extension Phase {
    /// What happens in the phase, in a language.
    public func name(in language: Language) -> String { Glossary.phrase(name, in: language) }

    /// Its number and what happens in it, such as `Phase 1: erase`, in a language.
    public func title(in language: Language) -> String {
        let number = "\(Glossary.phrase("Phase", in: language)) \(index)"
        return number + (language == .zh ? "：" : ": ") + name(in: language)
    }
}

extension PhaseTable.Course {
    /// What the object is called in a language.
    public func objectName(in language: Language) -> String { Glossary.phrase(object, in: language) }
}

extension MovingObject {
    /// What the object is called in a language; names of the article's construction, such as `O`, are the same in all.
    public func name(in language: Language) -> String { Glossary.phrase(name, in: language) }
}

/// The words of captions.
package enum Glossary {
    /// A word that captions use, in English, in the other languages.
    package static func phrase(_ english: String, in language: Language) -> String {
        language == .zh ? chinese[english] ?? english : english
    }

    /// A loader's title in a language.
    static func title(of type: any Loader.Type, in language: Language) -> String {
        phrase(type.title, in: language)
    }

    private static let chinese = phases.merging(objects) { $1 }.merging(captions) { $1 }.merging(titles) { $1 }

    private static let phases = [
        "draw": "绘制", "erase": "擦除", "lead-in": "片头", "sweep": "扫过", "play": "播放",
        "red and green meet in the middle": "红球、绿球在中间相遇",
        "red moves out right, yellow left": "红球向右、黄球向左分开",
        "red and yellow meet in the middle": "红球、黄球在中间相遇",
        "yellow moves out right, green left": "黄球向右、绿球向左分开",
        "yellow and green meet in the middle": "黄球、绿球在中间相遇",
        "green moves out right, red left": "绿球向右、红球向左分开",
        "pull": "下拉", "hold": "停住", "release": "松手", "rest": "静止",
        "rest left": "停在左边", "eject right": "向右弹出", "rest right": "停在右边", "eject left": "向左弹出",
        "normal": "常态", "loading": "加载中", "normal again": "恢复常态", "cancelled": "已取消",
        "note 1 sets out": "第一个音符出发", "note 2 sets out": "第二个音符出发", "note 3 sets out": "第三个音符出发",
    ]

    private static let objects = [
        "red": "红球", "yellow": "黄球", "green": "绿球", "top": "上端", "bottom": "下端", "tail": "尾", "head": "头",
        "tip": "尖角", "left": "左圆", "right": "右圆", "spot 1": "小球 1", "spot 2": "小球 2", "spot 3": "小球 3",
        "note 1": "音符 1", "note 2": "音符 2", "note 3": "音符 3",
    ]

    private static let byStage = "各步位移"

    private static let captions = [
        "Phase": "阶段", "object": "对象", "stage": "步", "direction": "方向", "from → to (pt)": "起 → 止 (pt)",
        "displacement by stage": byStage,
        "displacement by stage (the next in each phase)": "\(byStage)（每过一个阶段，小球走到下一步）",
        "time (s)": "时间 (s)", "x (pt)": "x (pt)", "y (pt)": "y (pt)", "phases": "个阶段", "phase": "个阶段",
        "period": "周期", "x from the centre (pt)": "x，以中心为原点 (pt)",
    ]

    private static let titles = [
        "iQIYI's ring and triangle": "爱奇艺的圆环与三角形",
        "QQ's drop over QQ Mail's three balls": "QQ 下拉水滴与 QQ 邮箱三个小球",
        "QQ's stretching drop": "QQ 下拉水滴", "QQ Mail's three balls": "QQ 邮箱三个小球",
        "The sticky PreLoader": "粘性 PreLoader", "Jelly pull-to-refresh": "果冻下拉刷新",
        "Douyin's album with notes": "抖音唱片与音符", "OneLoading's growing arc": "OneLoading 圆弧",
    ]
}
