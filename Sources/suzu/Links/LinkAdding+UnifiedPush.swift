// SPDX-License-Identifier: Apache-2.0
internal import Links
internal import NotificationModel

/// `suzu link add --unifiedpush`
extension LinkAdding {
  /// The distributor that is named, or the only one.
  static func distributor(_ arguments: Arguments) throws(CommandError) -> ServerAddress {
    let given = arguments.value("distributor")
    // As people say it: the last part of the name.
    let name = given.map { $0.contains(".") ? $0 : ServerAddress.distributors + $0 }
    do throws(RequestError) { return try ServerAddress(distributor: name) } catch {
      throw .data("'--distributor \(PrintableText.line(given ?? "", atMost: 80))' \(error.problem)")
    }
  }

  /// The distributor signs in at its server, and knows its certificates: a link has keys of its own instead.
  mutating func readUnifiedPush() throws(CommandError) {
    for flag in [
      "token-file", "token-credential", "login", "password-file", "password-credential", "authority",
      "client-certificate", "client-key", "send", "send-only",
    ] where arguments.has(flag) {
      throw .usage("'--\(flag)' and '--unifiedpush' cannot be combined")
    }
    link.vapid = try arguments.value("vapid").map { text throws(CommandError) in
      try Self.checked(text, "'--vapid'") { text throws(RequestError) in try PushSubscription.checked(vapid: text) }
    }
    var generator = SystemRandomNumberGenerator()
    secret = PushKeys.line(using: &generator)
    link.secret = .keys(.file("\(name).secret"))
  }
}
