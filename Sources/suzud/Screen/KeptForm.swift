// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// The form of a request without buttons and media, with all that decides about it. A request that waits for its
/// condition again and again mostly has the same form again.
final class KeptForm {
  let form: Presentation
  private let source: DecodedRequest
  private let server: ServerState
  private let isSilent: Bool
  private let isKept: Bool

  /// Nil if more decides: a category may change, a file may be removed, and a program may be installed.
  init?(_ form: Presentation, of due: Due, on server: ServerState, isSilent: Bool, isKept: Bool) {
    guard let source = due.source, due.request.content.hasTextsOnly else { return nil }
    self.form = form
    self.source = source
    self.server = server
    self.isSilent = isSilent
    self.isKept = isKept
  }

  func isForm(of due: Due, on server: ServerState, isSilent: Bool, isKept: Bool) -> Bool {
    due.source === source && self.server === server && self.isSilent == isSilent && self.isKept == isKept
  }
}

extension NotificationRequest.Content {
  /// Whether it has no buttons, no category and nothing that is read from files.
  fileprivate var hasTextsOnly: Bool {
    guard category == nil, actions.isEmpty, icon == nil, image == nil else { return false }
    return switch sound {
    case nil, .standard, .silent: true
    case .file, .named: false
    }
  }
}
