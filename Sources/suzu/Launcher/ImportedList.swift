// SPDX-License-Identifier: Apache-2.0
internal import Launcher
internal import NotificationModel

/// A property list to import: `appList.plist`, an array of group names, or `schemes.plist`, an array of dictionaries
/// with `app_name`, `url_scheme` and `category`.
struct ImportedList {
  var groups: [String] = []
  var schemes: [LauncherFile.Scheme] = []

  /// Reads a file; errors name the position.
  init(_ name: String) throws(CommandError) {
    let bytes = try Console.read(name)
    do throws(DocumentError) { try self.init(bytes) } catch {
      if error.meansUnknownFormat {
        throw .data("\(name == "-" ? "standard input" : name) is no property list, which 'suzu launcher import' reads")
      }
      throw .data(error.line(about: name == "-" ? "standard input" : name))
    }
  }

  init(_ bytes: [UInt8]) throws(DocumentError) {
    let document = try PlainDocument(bytes)
    do throws(RequestError) {
      guard case .list(let values) = document.value else {
        throw RequestError("", "must be a list, of names or of dictionaries with 'app_name', 'url_scheme', 'category'")
      }
      if case .dictionary? = values.first {
        schemes = try LauncherFile.Scheme.list(document.value, "")
      } else {
        groups = try document.value.texts("")
      }
    } catch {
      throw document.error(error)
    }
  }
}
