// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Accepts pushes: payloads that another machine may have written. They pass the same checks as other requests, and are
/// on disk before they are acknowledged.
final class Pushes {
  private let requests: Requests
  private let commit: PushCommit
  private let categories: Categories
  private let permissions: Permissions
  private let apps: Apps
  private let badges: Badges
  private let journal: Journal
  private let silent: SilentPushes
  private let remarks: PushRemarks
  private let time: any TimeSource
  /// The schemes that their URLs may have.
  private let schemes: () -> Set<String>

  init(
    requests: Requests, commit: PushCommit, categories: Categories, permissions: Permissions, apps: Apps,
    badges: Badges,
    journal: Journal, silent: SilentPushes, time: any TimeSource, schemes: @escaping () -> Set<String>
  ) {
    self.requests = requests
    self.commit = commit
    self.categories = categories
    self.permissions = permissions
    self.apps = apps
    self.badges = badges
    self.journal = journal
    self.silent = silent
    self.time = time
    self.schemes = schemes
    remarks = PushRemarks(categories: categories)
  }

  /// What pushes could not use, one line each.
  var problems: [String] { remarks.problems }

  /// Stores a push, and returns the id of its request. A second one with its id returns that of the first.
  func push(
    _ payload: PushPayload, to app: AppID, _ options: PushOptions, _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) -> String {
    let record = PushRecord(app: app.text, id: options.id, lapses: options.lapses, route: options.route)
    let isLate = record.hasLapsed(at: time.wall)
    let push = try read(payload, app, options, rights, isLate: isLate)
    try rights.check(push.request)
    var request = push.request
    let planned = try requests.plan(&request, rights)
    let ending = ending(of: push, isLate: isLate)
    switch try await commit.store(
      planned, request, record, ending: ending, isMutable: push.isMutable, from: caller)
    {
    case .known(let id): return id
    case .waits:
      throw CenterError(
        .invalidRequest,
        "'collapse' is the id of a request that waits for its date or condition, which a push cannot replace")
    case .stored(let response):
      if let leftOut = push.leftOut, ending == nil { remarks.note(leftOut, of: app) }
      if ending?.end == .silent, let badge = request.content.badge { badges.set(badge, of: app.text, journal) }
      if let response { silent.handOver(request, response, rights) }
      if ending == nil { permissions.askIfUndecided(rights, [request]) }
      return request.id?.text ?? ""
    }
  }

  private func read(
    _ payload: PushPayload, _ app: AppID, _ options: PushOptions, _ rights: Rights, isLate: Bool
  ) throws(CenterError) -> Push {
    var terms = options.terms
    terms.schemes = schemes()
    do throws(RequestError) {
      // One that is late replaces nothing.
      return try payload.push(for: app, id: isLate ? nil : options.collapse, under: terms) {
        categories.category($0.text, of: app.text, for: rights) != nil
      }
    } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }

  /// How it ends at once; nil if it is shown. The rest of the checks of what is shown are those of other requests.
  private func ending(of push: Push, isLate: Bool) -> PushCommit.Ending? {
    if isLate { return PushCommit.Ending(end: .lapsed, isHandedOver: false) }
    let allowed = apps[push.request.app.text].allowed
    switch push.kind {
    case .shown: return nil
    case .silent where allowed.contains(.alert): return PushCommit.Ending(end: .silent, isHandedOver: true)
    case .badge where allowed.contains(.badge): return PushCommit.Ending(end: .silent, isHandedOver: false)
    case .silent, .badge: return PushCommit.Ending(end: .notAllowed, isHandedOver: false)
    }
  }
}
