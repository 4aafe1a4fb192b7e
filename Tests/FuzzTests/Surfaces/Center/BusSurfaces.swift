// SPDX-License-Identifier: Apache-2.0
import CenterContract
import NotificationModel

@testable import DBus
@testable import suzud

/// Calls of the center: a message as bytes, or the method and its arguments as ``WireText``.
enum BusSurfaces {
  private static let box = Rights.of(app: "org.example.Box")

  static func call(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let message = try message(bytes), let values = try message.values() else { return false }
    var isAccepted = false
    for rights in [Rights.all, box] {
      guard let problem = try problem(of: message, values, rights) else {
        isAccepted = true
        continue
      }
      // What a caller sends comes back in the text of an error, as one line.
      try Surprise.unless(
        !problem.isEmpty && !problem.contains("\n") && !problem.utf8.contains(0), "the error '\(problem)'")
    }
    return isAccepted
  }

  /// A push, as its arguments: the app, the payload and the options.
  static func push(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    var text = WireText(bytes[...])
    guard let values = text.values(), let message = try WireMessage(header("Push"), values) else { return false }
    guard let (app, payload, options) = message.read(CenterMethods.push) else { return false }
    let push: Push
    do {
      let app = try CenterInterface.newAppName(app)
      let options = try CenterInterface.pushOptions(options, app, .all)
      push = try CenterInterface.pushPayload(payload).push(
        for: AppID(trusted: app), id: options.collapse, under: options.terms
      ) { $0 == "tea" }
    } catch let error as CenterError {
      try Surprise.unless(!error.message.contains("\n"), "the error '\(error.message)'")
      return false
    } catch {
      try Surprise.unless(!"\(error)".contains("\n"), "the error '\(error)'")
      return false
    }
    try check(push)
    return true
  }

  /// Nothing in a payload becomes a command, a file or markup.
  private static func check(_ push: Push) throws(Surprise) {
    let content = push.request.content
    let isPlain =
      content.actions.isEmpty && !content.markup && content.icon == nil && content.image == nil
      && content.hints.isEmpty && content.appName == nil && content.nag == nil && push.request.schedule.isNow
    try Surprise.unless(isPlain, "a push became \(push.request.json)")
    let scheme = content.url.map { $0.prefix { $0 != ":" }.lowercased() }
    try Surprise.unless(scheme.map(PushTerms.usualSchemes.contains) ?? true, "a push opens \(content.url ?? "")")
    if case .file? = content.sound { throw Surprise("a path became a sound") }
    try check(push.request)
  }

  /// What is stored is read back equal.
  private static func check(_ request: NotificationRequest) throws(Surprise) {
    let again = try? JSONReader.read(request.json).decode(as: NotificationRequest.self)
    try Surprise.unless(again == request, "\(request.json) is not read back equal")
  }

  // MARK: Calls

  private static func header(_ member: MemberName) -> MessageHeader {
    MessageHeader(member, of: RemoteObject("dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1"))
  }

  private static func message(_ bytes: [UInt8]) throws(Surprise) -> WireMessage? {
    // The byte order, and the type of a method call.
    if bytes.count > 1, "lB".utf8.contains(bytes[0]), bytes[1] == 1 { return WireMessage(bytes) }
    var text = WireText(bytes[...])
    guard let member = MemberName(text.word()), let values = text.values() else { return nil }
    return try WireMessage(header(member), values)
  }

  /// Why the arguments are refused; nil if they are not.
  private static func problem(
    of message: borrowing WireMessage, _ values: [Value], _ rights: Rights
  ) throws(Surprise) -> String? {
    do {
      return try read(message, rights) ? nil : "arguments of other types"
    } catch let error as Surprise {
      throw error
    } catch let error as CenterError {
      return error.message
    } catch let error as RemoteError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  /// Turns the arguments into what the center works with; returns false for a method or arguments that it refuses
  /// before.
  private static func read(_ message: borrowing WireMessage, _ rights: Rights) throws -> Bool {
    switch message.member {
    case "Notify", "Ask": try requests(message.read(CenterMethods.notify).map { [$0] }, rights)
    case "NotifyMany": try requests(message.read(CenterMethods.notifyMany), rights)
    case "Next":
      try message.read(CenterMethods.next).map { request, _ in
        try check(try CenterInterface.request(request, of: rights, needsTitle: false))
      } != nil
    case "SetCategories":
      try message.read(CenterMethods.setCategories).map { app, categories in
        try rights.check(try CenterInterface.newAppName(app))
        try categories.map { try CenterInterface.category($0, of: rights) }.checkDistinct()
      } != nil
    case "Pending": try page(message.read(CenterMethods.pending), .pending, rights)
    case "History": try page(message.read(CenterMethods.history), .history, rights)
    case "Configure":
      try message.read(CenterMethods.configure).map { app, settings in
        _ = try CenterInterface.changed(AppSettings(app: app), settings)
      } != nil
    case "SetQuiet":
      try message.read(CenterMethods.setQuiet).map { app, changes in
        _ = try CenterInterface.change(changes, of: app.isEmpty ? nil : app)
      } != nil
    case "SetPlaces":
      try message.read(CenterMethods.setPlaces).map { places in
        for (index, place) in places.enumerated() { _ = try CenterInterface.place(place, at: index) }
      } != nil
    case "Follow":
      try message.read(CenterMethods.follow).map { path, options in _ = try CenterInterface.calendar(path, options) }
        != nil
    case "Register":
      try message.read(CenterMethods.register).map { app, types in
        _ = (try CenterInterface.kinds(types), try CenterInterface.newAppName(app))
      } != nil
    case "Respond":
      try message.read(CenterMethods.respond).map { _, _, _, options in
        try CenterInterface.checkReply(options["reply"]?.string)
      } != nil
    default: false
    }
  }

  private static func requests(_ dictionaries: [Properties]?, _ rights: Rights) throws -> Bool {
    guard let dictionaries else { return false }
    for dictionary in dictionaries {
      let request = try CenterInterface.request(dictionary, of: rights)
      try check(request)
      guard let own = rights.ownApp else { continue }
      try Surprise.unless(request.app.text == own, "a sandboxed program wrote as \(request.app.text)")
      for action in request.content.actions {
        if case .run = action.effect { throw Surprise("a sandboxed program runs \(request.json)") }
      }
    }
    return true
  }

  private static func page(
    _ arguments: (String, [String: Value])?, _ kind: ListingKind, _ rights: Rights
  ) throws -> Bool {
    guard let (app, options) = arguments else { return false }
    let page = try CenterInterface.page(of: kind, app, options, for: rights)
    try Surprise.unless(1...Page.most ~= page.limit, "a page of \(page.limit) rows")
    return true
  }
}
