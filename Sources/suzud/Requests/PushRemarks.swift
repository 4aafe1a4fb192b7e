// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The categories that pushes have named and that were left out. Each is logged once, and listed until it is
/// registered.
final class PushRemarks {
  private struct Remark: Hashable {
    let app: AppID
    let leftOut: Push.LeftOut
  }

  private let categories: Categories
  private var remarks: [Remark] = []
  private var known: Set<Remark> = []
  /// More are not remembered: their names come from other machines.
  private static let most = 64

  init(categories: Categories) { self.categories = categories }

  /// Notes that the category of a push was left out.
  func note(_ leftOut: Push.LeftOut, of app: AppID) {
    let remark = Remark(app: app, leftOut: leftOut)
    guard known.count < Self.most, known.insert(remark).inserted else { return }
    remarks.append(remark)
    Log.warning("a push is shown without buttons: " + Self.text(remark))
  }

  /// What is wrong, one line each.
  var problems: [String] {
    remarks.filter { remark in
      guard case .unknown(let name) = remark.leftOut else { return true }
      return categories.category(name.text, of: remark.app.text, for: .all) == nil
    }.map { Self.text($0) }
  }

  private static func text(_ remark: Remark) -> String {
    let app = "'\(DisplayText.line(remark.app.text))'"
    return switch remark.leftOut {
    case .unknown(let name):
      "category '\(DisplayText.line(name.text))' is not registered for \(app): see 'suzu category'"
    case .notAllowed(let name): "its sender may not use category '\(DisplayText.line(name.text))' of \(app)"
    }
  }
}
