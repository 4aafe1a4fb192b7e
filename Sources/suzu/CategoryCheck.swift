// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// `suzu category check`: checks files of categories as the center does when it reads `categories.d`.
enum CategoryCheck {
  /// The center refuses longer files.
  private static let longest = 4 << 20

  /// Prints a line for each valid file, and an error for each other one.
  static func run(_ names: [String]) throws(CommandError) -> Int32 {
    if names.isEmpty { throw .usage("no file given (- is standard input)") }
    var status = EX_OK
    for name in names {
      do throws(CommandError) {
        let found = try categories(in: name)
        let ids = found.map { PrintableText.line($0.id, atMost: 60) }
        Console.print("\(shown(name)): " + (ids.isEmpty ? "no categories" : ids.joined(separator: ", ")))
        for (category, id) in zip(found, ids) where category.actions.isEmpty {
          Console.warn("category", "\(shown(name)): '\(id)' has no actions, so it adds no buttons")
        }
      } catch {
        Console.complain("category: \(error.message)")
        status = error.status
      }
    }
    return status
  }

  private static func categories(in name: String) throws(CommandError) -> [Category] {
    let bytes = try Console.read(name)
    if bytes.count > longest { throw .data("\(shown(name)): longer than \(longest) bytes") }
    if name != "-", let status = try? FileStatus(name) {
      if status.owner != getuid(), status.owner != 0 { throw .data("\(shown(name)): belongs to another user") }
      if status.permissions & 0o002 != 0 {
        throw .data("\(shown(name)): is writable by all users; use: chmod o-w")
      }
    }
    if CalendarComponent.recognizes(bytes) {
      throw .data(
        "\(shown(name)) is a calendar, and categories are JSON or a property list; for its alarms, use "
          + "'suzu import \(CommandWords.quoted(name))'")
    }
    do throws(DocumentError) { return try CategoryDocument(bytes).categories } catch {
      throw .data(error.line(about: shown(name)))
    }
  }

  private static func shown(_ name: String) -> String { name == "-" ? "standard input" : name }
}
