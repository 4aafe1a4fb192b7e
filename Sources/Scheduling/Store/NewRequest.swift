// SPDX-License-Identifier: Apache-2.0

/// A checked request to be stored.
public struct NewRequest: Hashable, Sendable {
  /// The app.
  public var app: String
  /// Unique within the app: a request with the same id replaces this one.
  public var id: String
  /// The request as JSON, in a form that means the same later and elsewhere.
  public var payload: String
  /// When it starts.
  public var start: Start
  /// Whether its dates wake the machine.
  public var wakes: Bool
  /// The rights it was made with, as an opaque text; nil for the user.
  public var asker: String?
  /// Whether a sandboxed program made it, whose quotas are smaller.
  var isBoxed: Bool { asker != nil }

  /// A request.
  public init(
    app: String, id: String, payload: String, start: Start, wakes: Bool = false, asker: String? = nil
  ) {
    self.app = app
    self.id = id
    self.payload = payload
    self.start = start
    self.wakes = wakes
    self.asker = asker
  }
}

extension NewRequest {
  /// The charge to the account of its app, without the request that it replaces.
  public var charge: Account {
    var account = Account()
    let size = Account.rowSize + Int64(app.utf8.count + id.utf8.count + payload.utf8.count)
    if start == .now {
      account.historyBytes = size
      account.historyRows = 1
    } else {
      account.pending = 1
      account.pendingBytes = size
    }
    account.isBoxed = isBoxed
    return account
  }
}
