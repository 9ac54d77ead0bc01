import Core
import Testing

@testable import Animations

/// A parameter of a loader, with a description for test names.
struct Declared: CustomTestStringConvertible, Sendable {
    let id: String
    let parameter: any LoaderParameter
    var testDescription: String { "\(id) \(parameter.name)" }

    static let all: [Declared] = LoaderCatalog.builtIn.definitions.flatMap { type in
        type.parameters.map { Declared(id: type.id, parameter: $0) }
    }

    /// The bounds of a numeric range such as `0.5...30 pt`; nil if the parameter has no range.
    var range: (low: Rational, high: Rational)? {
        let words = parameter.limits.replacing("a whole number in ", with: "")
        let ends = words.prefix { $0 != " " }.split(separator: "...", omittingEmptySubsequences: false)
        guard ends.count == 2, let low = Rational(text: ends[0]), let high = Rational(text: ends[1]) else { return nil }
        return (low, high)
    }

    func parse(_ text: String) throws -> any Sendable { try parameter.parse(text, loadImage: noImages) }
}

@Suite struct ParameterTests {
    @Test(arguments: Declared.all) func defaultTextParsesToTheDefaultValue(declared: Declared) throws {
        let parsed = try declared.parse(declared.parameter.defaultText)
        let mirror = Mirror(reflecting: declared.parameter)
        let value = try #require(mirror.children.first { $0.label == "defaultValue" }).value
        if declared.parameter.defaultText == "drawn" {
            #expect("\(parsed)" == "nil")
        } else {
            #expect(try #require(parsed as? AnyHashable) == #require(value as? AnyHashable))
        }
    }

    @Test(arguments: allIDs) func settingAllDefaultsChangesNothing(id: String) throws {
        let type = try LoaderCatalog.builtIn.definition(id)
        let settings = type.parameters.map { "\($0.name)=\($0.defaultText)" }
        let spelled = try type.make(ParameterValues(settings, for: type, loadImage: noImages))
        let plain = try type.make()
        #expect(spelled.period == plain.period && spelled.phases == plain.phases)
        for time in instants(20, in: plain.period, seed: 100) {
            #expect(spelled.scene(at: time) == plain.scene(at: time))
        }
    }

    @Test(arguments: Declared.all) func namesAndTextsFitOnOneLine(declared: Declared) {
        let parameter = declared.parameter
        #expect(parameter.name.allSatisfy { $0.isASCII && $0.isLetter })
        #expect(!parameter.summary.isEmpty && !parameter.limits.isEmpty && !parameter.defaultText.isEmpty)
        #expect(!(parameter.summary + parameter.limits + parameter.defaultText).contains("\n"))
    }

    /// Numbers of all kinds are written in the same way.
    @Test(arguments: Declared.all.filter { $0.range != nil }) func signsAreNotPartOfANumber(declared: Declared) throws {
        let text = declared.parameter.defaultText
        #expect(throws: ParameterError.self) { try declared.parse("+" + text) }
        #expect(throws: Never.self) { try declared.parse(text) }
    }

    @Test(arguments: allIDs) func namesAreUnique(id: String) throws {
        let names = try LoaderCatalog.builtIn.definition(id).parameters.map(\.name)
        #expect(Set(names).count == names.count && !names.isEmpty)
    }

    private func expectRefusal(_ declared: Declared, _ text: String) {
        let parameter = declared.parameter
        #expect("\(declared.testDescription) takes no '\(text)'") {
            _ = try declared.parse(text)
        } throws: { error in
            guard let error = error as? ParameterError else { return false }
            return error.kind == .usage && error.description.contains("\(parameter.name)=\(text)")
                && error.description.contains(parameter.limits) && !error.description.contains("\n")
        }
    }

    @Test(arguments: Declared.all.filter { $0.range != nil }) func numbersMustBeInRange(declared: Declared) throws {
        let (low, high) = try #require(declared.range)
        #expect(throws: Never.self) { try declared.parse("\(low)") }
        #expect(throws: Never.self) { try declared.parse("\(high)") }
        let step = Rational(1, 10_000)
        var texts = ["\(high + step)", "\(high + 1)", "999999999", "-\(high)", "-0.001", "-1", "nan", "inf", "-inf"]
        texts += ["", "x", "1,5", " 5", "5 ", "5pt", "½", "0x", "--1", "1..2"]
        if low >= step { texts.append("\(low - step)") }
        if low > .zero { texts.append("0") }
        for text in texts { expectRefusal(declared, text) }
    }

    @Test(arguments: Declared.all.filter { $0.parameter.limits.hasPrefix("a CSS") })
    func coloursAreCSS(declared: Declared) {
        for text in ["", "f00", "#12", "reddish", "rgb(1,2,3)", "1"] { expectRefusal(declared, text) }
    }

    @Test func choicesAcceptOnlyTheirWords() throws {
        let choices = Declared.all.filter {
            $0.parameter.limits.contains(" or ") && $0.parameter.defaultText != "drawn"
        }
        .filter { !$0.parameter.limits.hasPrefix("a CSS") }
        #expect(choices.count == 3)
        for choice in choices {
            for word in choice.parameter.limits.split(separator: " or ") {
                #expect(throws: Never.self) { try choice.parse(String(word)) }
            }
            for text in ["", "Smooth", "LOAD", "both", "smooth "] { expectRefusal(choice, text) }
        }
    }

    @Test func gestureErrorsNameTheProblem() throws {
        for gesture in Declared.all.filter({ $0.parameter.name == "gesture" }) {
            #expect {
                _ = try gesture.parse("0:0,1:5")
            } throws: { error in
                let error = error as? ParameterError
                return error?.kind == .data && error?.description.hasPrefix("gesture must end") == true
            }
        }
    }
}

@Suite struct SettingsTests {
    private func refusal(_ id: String, _ settings: String...) throws -> ParameterError? {
        let type = try LoaderCatalog.builtIn.definition(id)
        return #expect(throws: ParameterError.self) {
            _ = try ParameterValues(settings, for: type, loadImage: noImages)
        }
    }

    @Test(arguments: allIDs) func unknownKeyErrorsListAllKeys(id: String) throws {
        let error = try #require(try refusal(id, "colour=red"))
        #expect(error.kind == .usage && error.description.contains("'colour'") && error.description.contains(id))
        for parameter in try LoaderCatalog.builtIn.definition(id).parameters {
            #expect(error.description.contains(parameter.name))
        }
    }

    @Test func settingsNeedAnEqualsSign() throws {
        let error = try #require(try refusal("iqiyi", "ringWidth"))
        #expect(error.kind == .usage && error.description.contains("'ringWidth'"))
        #expect(error.description.contains("key=value"))
        #expect(try refusal("iqiyi", "=7") != nil)
        #expect(try refusal("iqiyi", "") != nil)
    }

    @Test func theLastValueOfAKeyCounts() throws {
        let loader = try makeLoader("iqiyi", "duration=1", "duration=0.5")
        #expect(loader.period == 1)
        #expect(try refusal("iqiyi", "duration=1000", "duration=0.5") != nil, "invalid values are always reported")
    }

    @Test func valuesCanBeSetFromSwift() throws {
        var values = ParameterValues()
        values.set(IQIYI.ringWidth, to: 3)
        let stroke = shapes(try IQIYI(values).scene(at: Rational(1, 2)).nodes).compactMap(\.shape.stroke).first
        #expect(stroke?.width == 3)
    }
}
