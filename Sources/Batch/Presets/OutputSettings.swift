import Animations
import Core
import Explain
import Media
import Render

extension PresetOutput {
    /// All settings that determine the output's bytes, except the contents of referenced files.
    var settings: [String: String] {
        var texts = OptionRegistry.current.texts(of: request)
        texts["loader"] = request.loader.definition.id
        texts["format"] = request.encoding.format.name
        texts["tutorial"] = script
        for setting in request.loader.settings { texts["set " + setting.prefix { $0 != "=" }] = setting }
        return texts
    }
}
