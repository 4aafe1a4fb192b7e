// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// What the caller of `Push` says about a payload.
struct PushOptions {
  /// The id that its sender gave it: a second one with this id is not shown.
  var id: String?
  /// The id of the request, which replaces an earlier one.
  var collapse: RequestID?
  /// The last moment to show it.
  var lapses: Timestamp?
  /// Where its answer goes; nil if it goes nowhere.
  var route: AnswerRoute?
  /// What it may use. The center adds the schemes that the user allows.
  var terms = PushTerms()
}
