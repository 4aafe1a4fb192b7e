// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The terminal's abilities, from the environment and the descriptors.
struct TerminalTraits: Equatable, Sendable {
  /// Whether both ends are a terminal that can move its cursor.
  let isInteractive: Bool
  let isUnicode: Bool
  let hasColour: Bool

  init(inputIsTerminal: Bool, outputIsTerminal: Bool, environment: (String) -> String?) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let isDumb = (value("TERM") ?? "dumb") == "dumb"
    isInteractive = inputIsTerminal && outputIsTerminal && !isDumb
    hasColour = outputIsTerminal && !isDumb && value("NO_COLOR") == nil
    // The first variable that is set decides, as in setlocale(3). A pipe carries UTF-8 in any locale: no font is
    // involved.
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "C").lowercased()
    isUnicode =
      !outputIsTerminal || locale.hasSuffix("utf-8") || locale.hasSuffix("utf8")
      || locale.prefix { $0 != "@" }.hasSuffix("utf-8")
  }

  /// The traits of this process.
  static var current: TerminalTraits {
    TerminalTraits(inputIsTerminal: isatty(0) == 1, outputIsTerminal: isatty(1) == 1) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  var theme: PopupTheme { PopupTheme(isUnicode: isUnicode, hasColour: hasColour) }
}
