// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import Links
internal import NotificationModel

/// The center on the session bus, which the bus starts if needed.
///
/// Confined to the loop's thread, which is the connection's, too.
final class BusCenter: PushReceiver {
  private let connection: Connection

  init(on connection: Connection) { self.connection = connection }

  private static let push = MethodDescription(
    "Push", in: ("app", String.self), ("payload", [String: Value].self), ("options", [String: Value].self))

  func push(_ push: LinkPush) async -> PushAnswer {
    var options: [String: Value] = [
      "id": .string(push.id), "collapse": .string(push.collapse), "levels": .strings(push.levels),
      "categories": .strings(push.categories),
    ]
    options["expires"] = push.expires.map { .int64($0) }
    for (kind, path) in push.files { options[kind.rawValue] = .string(path) }
    if let answers = push.answers {
      options["link"] = .string(answers.link)
      options["answers"] = .string(answers.place)
    }
    if !push.calls.isEmpty {
      options["calls"] = .array(
        of: .properties,
        push.calls.map { .properties(["title": .string($0.title), "http": Self.value($0.call.plain)]) })
    }
    do throws(CallError) {
      try await connection.call(
        Self.push, of: CenterBus.center, push.app, push.payload.mapValues(Self.value), options)
      return .taken
    } catch {
      return Self.answer(error)
    }
  }

  func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer {
    do throws(CallError) {
      try await connection.call(CenterMethods.answered, of: CenterBus.center, app, id, name ?? "")
      return .taken
    } catch {
      return Self.answer(error)
    }
  }

  func withdraw(_ ids: [String], of app: String) async -> PushAnswer {
    do throws(CallError) {
      // What is not shown yet, and what is.
      try await connection.call(CenterMethods.cancel, of: CenterBus.center, app, ids)
      try await connection.call(CenterMethods.dismiss, of: CenterBus.center, app, ids)
      return .taken
    } catch {
      return Self.answer(error)
    }
  }

  /// The center's own refusals are about the message, unless it says that it is unable. Everything else passes.
  private static func answer(_ error: CallError) -> PushAnswer {
    switch error {
    case .failed(let failure) where failure.code == .invalidValue || failure.code == .tooLarge:
      return .refused("it cannot be sent over the bus")
    case .refused(let refusal):
      switch RefusalCode(refusal.name) {
      case .unavailable: return .unavailable(refusal.message)
      // About this program, and so about all messages.
      case .accessDenied: return .unavailable("the center denies suzu-link to act for the app")
      case let code?: return .refused(Self.words(code))
      case nil: break
      }
      switch refusal.name {
      case .invalidArgs: return .refused("the center cannot read it")
      case .unknownMethod, .unknownInterface, .unknownObject:
        return .unavailable("the running center has no 'Push'; restart it: systemctl --user restart suzud")
      case .serviceUnknown, .nameHasNoOwner: return .unavailable("the center does not run, and the bus cannot start it")
      case .noReply: return .unavailable("the center does not answer")
      default: return .unavailable("the bus does not reach the center (\(refusal.name))")
      }
    case .failed: return .unavailable("the center does not answer")
    }
  }

  /// The center's own words may quote the message.
  private static func words(_ code: RefusalCode) -> String {
    switch code {
    case .invalidRequest: "the center cannot read it"
    case .inThePast: "it has expired"
    case .unknownCategory: "its category is not known"
    case .accessDenied: "access is denied"
    case .notFound: "there is no such notification"
    case .limitExceeded: "the center has too many requests of this app, or it is too large"
    case .unavailable: "the center is not able"
    }
  }

  /// A value as the method takes it: objects are `a{sv}`, arrays `av`, numbers `x` or `d`.
  private static func value(_ plain: PlainValue) -> Value {
    switch plain {
    case .text(let text): .string(text)
    case .flag(let flag): .boolean(flag)
    case .integer(let integer): .int64(integer)
    case .number(let number): .double(number)
    case .list(let values): .array(of: .variant, values.map { .variant(value($0)) })
    case .dictionary(let values): .properties(values.mapValues(value))
    }
  }
}
