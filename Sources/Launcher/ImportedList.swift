// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import SystemFiles

/// A property list to import: `appList.plist`, an array of group names, or `schemes.plist`, an array of dictionaries
/// with `app_name`, `url_scheme` and `category`.
package struct ImportedList: Sendable {
  package private(set) var groups: [String] = []
  package private(set) var schemes: [LauncherFile.Scheme] = []

  /// What its entries open, with their ids.
  var urls: [(url: String, key: String)] { schemes.map { ($0.url, $0.key) } }

  /// The largest file that is read, in bytes.
  private static let largest = 64 << 20

  /// Reads a file; errors name the position.
  package init(path: String) throws(LauncherError) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try RegularFile.read(path, limit: Self.largest) } catch {
      throw LauncherError(.unreadable, path, ": \(error)")
    }
    do throws(DocumentError) { try self.init(bytes) } catch {
      if error.meansUnknownFormat { throw LauncherError(.invalidFile(error), path, " is no property list") }
      throw LauncherError(.invalidFile(error), path, (error.place == nil ? ": " : ", ") + "\(error)")
    }
  }

  package init(_ bytes: [UInt8]) throws(DocumentError) {
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
