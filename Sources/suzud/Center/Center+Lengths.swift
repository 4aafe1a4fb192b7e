// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

extension Center {
  /// Refuses a request with a button, its own or its category's, that no program could be started for: see
  /// ``ArgumentLimit``.
  ///
  /// - Parameter index: of the request, where it is one of several.
  func checkLengths(of request: NotificationRequest, for rights: Rights, in index: Int?) throws(RemoteError) {
    let category = request.category.flatMap { categories.category($0, of: request.app, for: rights) }
    let actions = request.actions.isEmpty ? category?.actions ?? [] : request.actions
    do throws(RequestError) {
      for action in actions { try action.checkLengths(in: request) }
      if request.url != nil { try Action.ofItself(request).checkLengths(in: request) }
    } catch {
      let place = index.map { "[\($0)]: " } ?? ""
      throw RemoteError(CenterInterface.invalidRequest, place + error.description)
    }
  }
}
