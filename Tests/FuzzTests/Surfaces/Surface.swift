// SPDX-License-Identifier: Apache-2.0

/// A parser that reads bytes from outside, with the checks of what it returns.
///
/// The same surfaces are run by `swift test`, on the corpus and on mutations of it, and by `make fuzz`, on what
/// libFuzzer finds.
enum Surface: String, CaseIterable, Sendable {
  case zoneFile = "zone-file"
  case zoneText = "zone-text"
  case expression, rule, exceptions, time, window
  case request, category, json
  case words, condition, template
  case entry, exec, url
  case calendar
  case markup
  case mqtt
  case webPush = "web-push"
  case call, push, signal

  /// Reads the bytes; returns whether they were accepted.
  ///
  /// - Throws: ``Surprise`` if the result contradicts the input or itself.
  func read(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    switch self {
    case .zoneFile: try TimeSurfaces.zoneFile(bytes)
    case .zoneText: try TimeSurfaces.zoneText(Self.text(bytes))
    case .expression: try TimeSurfaces.expression(Self.text(bytes))
    case .rule: try TimeSurfaces.rule(Self.text(bytes))
    case .exceptions: try TimeSurfaces.exceptions(Self.text(bytes))
    case .time: try TimeSurfaces.time(Self.text(bytes))
    case .window: try TimeSurfaces.window(Self.text(bytes))
    case .request: try RequestSurfaces.request(bytes)
    case .category: try RequestSurfaces.category(bytes)
    case .json: try RequestSurfaces.json(Self.text(bytes))
    case .words: try RequestSurfaces.words(Self.text(bytes))
    case .condition: try RequestSurfaces.condition(Self.text(bytes))
    case .template: try RequestSurfaces.template(Self.text(bytes))
    case .entry: try DesktopSurfaces.entry(bytes)
    case .exec: try DesktopSurfaces.exec(Self.text(bytes))
    case .url: try DesktopSurfaces.url(Self.text(bytes))
    case .calendar: try DesktopSurfaces.calendar(bytes)
    case .markup: try DesktopSurfaces.markup(Self.text(bytes))
    case .mqtt: try LinkSurfaces.mqtt(bytes)
    case .webPush: try LinkSurfaces.webPush(bytes)
    case .call: try BusSurfaces.call(bytes)
    case .push: try BusSurfaces.push(bytes)
    case .signal: try SignalSurface.read(bytes)
    }
  }

  /// Callers decode a text before they parse it: damaged parts become replacement characters.
  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The longest input that is tried. Every surface has a limit of its own below or near it, or a step budget.
  static let longest = 4096
}

/// A result that contradicts its input or itself.
struct Surprise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless `condition` holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Surprise) {
    if !condition { throw Surprise(description()) }
  }
}
