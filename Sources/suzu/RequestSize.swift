// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// The size of a request. The center refuses a large call before it looks into it, so its error is about the call.
enum RequestSize {
  /// The limit of the center, in KiB.
  private static let longest = 256

  /// The center's error; one about the size of a call becomes one about the request.
  ///
  /// - Parameter file: the name of the file that the requests come from.
  static func error(_ error: any Error, of requests: [[String: PlainValue]], in file: String?) -> any Error {
    guard let refusal = error as? SuzuError, refusal.code == .limitExceeded, refusal.message.contains("'Notify'"),
      let request = requests.first
    else { return error }
    let size = PlainValue.dictionary(request).json.utf8.count
    return CommandError.data(
      (file.map { "\($0): " } ?? "")
        + "the request has \(size) bytes; the limit is \(longest) KiB; keep long texts in a "
        + "file, and let a button open it")
  }
}
