// SPDX-License-Identifier: Apache-2.0

/// The popup of a request, as the notification server of this desktop shows it.
package struct PopupPreview: Hashable, Sendable {
  package let title: String
  /// Empty if there is none, or if the server shows none.
  package let body: String
  /// Who shows it, and what is missing there.
  package let remark: String

  /// - Parameter server: its name, which is empty if there is none, and whether it shows more than titles; nil if that
  ///   is not known yet.
  package init(_ draft: RequestDraft, on server: (name: String, showsBody: Bool)?) {
    let title = ShownText.line(draft.title, atMost: 200)
    self.title = title.isEmpty ? "Title" : title
    let body = ShownText.paragraphs(draft.body, atMost: 400)
    self.body = server?.showsBody == false ? "" : body
    guard let server else {
      remark = ""
      return
    }
    let name = ShownText.isolated(server.name, atMost: 60)
    if server.name.isEmpty {
      remark = "No notification server runs now: it comes as soon as one does"
    } else if !server.showsBody, !body.isEmpty {
      remark = "\(name) shows titles only"
    } else {
      remark = "As \(name) shows it"
    }
  }

  /// What a screen reader says of it.
  package var spoken: String {
    (["Popup: \(title)"] + [body, remark].filter { !$0.isEmpty }).joined(separator: ", ")
  }
}
