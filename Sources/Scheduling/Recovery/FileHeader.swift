// SPDX-License-Identifier: Apache-2.0

/// The first bytes of an SQLite file that are the same in all our files.
enum FileHeader {
  /// Throws if SQLite would refuse the file, or misinterpret its format.
  static func check(_ path: String) throws(StoreError) {
    guard let header = StoreFiles.read(path, count: 100) else { throw StoreError("read", path) }
    let expected: [(Int, [UInt8])] = [
      (0, Array("SQLite format 3".utf8) + [0]),
      (16, [UInt8(PageImages.pageSize >> 8), UInt8(PageImages.pageSize & 0xFF)]),
      (20, [0, 64, 32, 32]),
    ]
    let isRight = expected.allSatisfy { offset, bytes in
      header.dropFirst(offset).prefix(bytes.count).elementsEqual(bytes)
    }
    // Journal (1) or WAL (2): a copy that replaces the file still has the first. SQLite refuses a schema format (0: no
    // schema yet) above 4 with a mere 'error'.
    guard header.count == 100, isRight, (1...2).contains(header[18]), (1...2).contains(header[19]),
      header.bigEndian(at: 44) <= 4
    else {
      throw StoreError(.damaged, "not an SQLite database (invalid header)")
    }
  }
}
