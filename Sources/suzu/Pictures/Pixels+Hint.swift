// SPDX-License-Identifier: Apache-2.0
internal import DBus

extension Pixels {
  /// The hint `image-data`: `(iiibiiay)` of width, height, row stride, opacity, bits per sample, channels and bytes
  /// (https://specifications.freedesktop.org/notification-spec/1.2/icons-and-images.html). Nil if it is anything else.
  init?(hint: Value) {
    guard case .structure(let fields) = hint, fields.count == 7,
      let width = fields[0].integer, let height = fields[1].integer, let stride = fields[2].integer,
      let hasOpacity = fields[3].boolean, fields[4].integer == 8, let channels = fields[5].integer,
      channels == (hasOpacity ? 4 : 3), case .bytes(let bytes) = fields[6],
      let width = Int(exactly: width), let height = Int(exactly: height), let stride = Int(exactly: stride)
    else { return nil }
    self.init(width: width, height: height, stride: stride, channels: Int(channels), bytes: bytes)
  }
}
