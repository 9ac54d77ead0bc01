import Core
import Render

/// Returns a value as indented JSON with sorted keys, so that equal values give equal text.
func jsonText(_ value: some Encodable) throws -> String {
    try JSONCoding.text(value, style: .indented).visibleLines
}
