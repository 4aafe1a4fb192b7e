// SPDX-License-Identifier: Apache-2.0
package import Links

/// What links need of the center.
package protocol PushReceiver: AnyObject {
  /// Passes on a message; returns when the center has it on disk, or does not take it.
  func push(_ push: LinkPush) async -> PushAnswer
  /// A message was answered, on the desktop of this name or, if it is nil, on this one.
  func answered(_ id: String, of app: String, by name: String?) async -> PushAnswer
  /// Takes back the notifications with these ids.
  func withdraw(_ ids: [String], of app: String) async -> PushAnswer
}

/// The center's answer.
package enum PushAnswer: Equatable {
  case taken
  /// It will not take this message, in its words.
  case refused(String)
  /// It cannot take any message at present.
  case unavailable(String)
}
