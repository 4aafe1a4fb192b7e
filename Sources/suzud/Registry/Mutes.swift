// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The requests that the user does not want to see for a while, kept in the store.
final class Mutes {
  private let store: Store
  private let time: any TimeSource
  private var all: [RequestKey: Mute] = [:]
  private static let setting = "mutes"

  init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
    guard let text = try? store.setting(Self.setting), case .list(let mutes)? = try? JSONReader.read(text) else {
      return
    }
    for case .dictionary(let words) in mutes {
      if let mute = try? Mute(words) { all[RequestKey(mute)] = mute }
    }
  }

  /// Those that have not ended, by app and id.
  var current: [Mute] {
    all.values.filter(isCurrent).sorted { ($0.app.text, $0.id.text) < ($1.app.text, $1.id.text) }
  }

  private func isCurrent(_ mute: Mute) -> Bool { mute.until * 1000 > time.wall.milliseconds }

  /// Whether the notification of a due request is not to be shown: it, or the request that it is a snoozed copy of, is
  /// muted.
  func contains(_ due: Due) -> Bool { !all.isEmpty && contains(RequestKey(due).base) }

  func contains(_ key: RequestKey) -> Bool {
    if let mute = all[key] { return isCurrent(mute) }
    return all.values.contains { mute in
      mute.app.text.isIdentical(to: key.app) && SnoozedID.of(mute.id.text).isIdentical(to: key.id) && isCurrent(mute)
    }
  }

  /// Mutes a request, or changes until when.
  func set(_ mute: Mute) throws(CenterError) {
    guard isCurrent(mute) else { throw CenterError(.inThePast, "'until' has passed") }
    var next = all.filter { isCurrent($0.value) }
    next[RequestKey(mute)] = mute
    guard next.count <= Mute.most else {
      throw CenterError(.limitExceeded, "\(Mute.most) requests are muted already, which is the limit")
    }
    try keep(next)
  }

  /// Shows the request again from now on.
  func remove(_ id: RequestID, of app: AppID) throws(CenterError) {
    var next = all.filter { isCurrent($0.value) }
    next[RequestKey(app: app.text, id: id.text)] = nil
    try keep(next)
  }

  private func keep(_ next: [RequestKey: Mute]) throws(CenterError) {
    let mutes = next.values.map { PlainValue.dictionary($0.plain) }
    do throws(StoreError) {
      try store.withNeededTransaction { () throws(StoreError) in
        try store.set(Self.setting, to: mutes.isEmpty ? nil : PlainValue.list(mutes).json)
      }
    } catch {
      throw CenterError(error)
    }
    all = next
  }
}

extension RequestKey {
  fileprivate init(_ mute: Mute) { self.init(app: mute.app.text, id: mute.id.text) }
}
