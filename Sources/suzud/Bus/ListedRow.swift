// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// A row of a list as a dictionary of D-Bus.
enum ListedRow {
  /// The row, and its size in bytes.
  static func encoded(_ row: ListedRequest) -> (Properties, bytes: Int) {
    let properties = Properties(row.words.mapValues { Value($0) })
    return (properties, (try? properties.busValue.encodedSize()) ?? 0)
  }
}
