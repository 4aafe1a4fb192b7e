// SPDX-License-Identifier: Apache-2.0

/// The first bytes of an SQLite file, as far as they are the same in every file of ours.
enum FileHeader {
  /// Throws where SQLite would refuse the file, or would take it for another kind of file than it is.
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
    // Journal (1) or WAL (2): a copy put in the place of the file is still the first. The form of the schema (0: there is
    // none yet) is what SQLite refuses with no more than 'error' where it is past 4.
    guard header.count == 100, isRight, (1...2).contains(header[18]), (1...2).contains(header[19]),
      header.bigEndian(at: 44) <= 4
    else {
      throw StoreError(.damaged, "the file does not begin as a database does")
    }
  }
}
