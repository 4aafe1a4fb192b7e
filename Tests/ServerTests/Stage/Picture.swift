// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Pictures for the report, in the folder named by SUZU_PICTURES.
enum Picture {
  /// The title of the picture of our own list.
  static let list = "What *More…* opens"
  /// The title of the picture of notifications of two apps.
  static let groups = "Two apps in GNOME Shell's list"

  /// The title of every picture, in the order of the report.
  static var titles: [String] { servers.map(\.name) + [list, groups] }

  /// The file name of a picture, without the release and the ending.
  private static func stem(_ title: String) -> String {
    switch title {
    case list: "more"
    case groups: "gnome-shell-groups"
    default: title
    }
  }

  /// The file name of a picture that was taken in a release.
  static func fileName(_ title: String, in release: Release) -> String {
    stem(title) + (release == .bookworm ? "" : "-" + release.codename) + ".png"
  }

  /// The path of a picture; nil if none is wanted or nothing is visible.
  static func file(_ title: String) -> String? {
    guard titles.contains(title) else { return nil }
    return ProcessInfo.processInfo.environment["SUZU_PICTURES"].map { $0 + "/" + fileName(title, in: .current) }
  }
}

extension Desktop {
  /// Takes a picture of a popup once it no longer changes: some grow or fade in.
  func photograph(_ title: String, to file: String) throws {
    var last: Data?
    try wait(for: "picture that stays as it is") {
      try server.photograph([try popup(title)], to: file, on: self)
      let picture = try Data(contentsOf: URL(filePath: file))
      defer { last = picture }
      return picture == last ? () : nil
    }
  }
}
