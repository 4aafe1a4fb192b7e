// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests which files a notification server is never asked to read.
struct MediaFileTests {
  @Test(arguments: ["mail-unread", "org.example.App", "a", "x-office_calendar+1"])
  func `Names of the icon theme are accepted`(name: String) { #expect(MediaFile.isPicture(Picture(name))) }

  @Test(arguments: [
    "", ".hidden", "../../etc/passwd", "a/b", "http://127.0.0.1/x.png", "https://example.org/x.png", "data:image/png,",
    "file://host/x.png", "file:x.png", "name with blanks", "ü", "a\nb", String(repeating: "a", count: 129),
    "/dev/urandom", "/dev/zero", "/", "/usr", "file:///dev/urandom", "file:///a%00b",
    "file:///a%zz",
  ])
  func `Invalid icon names are refused`(text: String) { #expect(!MediaFile.isPicture(Picture(text))) }

  @Test func `A media file is a regular file of limited size`() throws {
    let folder = try TemporaryFolder()
    let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    func png(_ name: String, _ width: UInt32, _ height: UInt32) throws -> String {
      let bytes = header + [width, height].flatMap { number in (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xff) } }
      let url = folder.url.appending(path: name)
      try Data(bytes).write(to: url)
      return url.path
    }
    let good = try png("a picture ü.png", 640, 480)
    #expect(MediaFile.isPicture(Picture(good)))
    #expect(MediaFile.isPicture(Picture(URL(filePath: good).absoluteString)))
    #expect(try !MediaFile.isPicture(Picture(png("bomb.png", 30_000, 30_000))))
    #expect(try !MediaFile.isPicture(Picture(png("overflow.png", .max, .max))))
    let huge = folder.path("huge.png")
    #expect(FileManager.default.createFile(atPath: huge, contents: nil))
    #expect(truncate(huge, 51 << 20) == 0)
    #expect(!MediaFile.isPicture(Picture(huge)))
    #expect(mkfifo(folder.path("pipe.png"), 0o600) == 0)
    #expect(!MediaFile.isPicture(Picture(folder.path("pipe.png"))))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.png"), withDestinationPath: "/dev/urandom")
    #expect(!MediaFile.isPicture(Picture(folder.path("link.png"))))
    // No server can read these either.
    #expect(symlink("loop.png", folder.path("loop.png")) == 0)
    #expect(
      MediaFile.isPicture(Picture(folder.path("loop.png"))) && MediaFile.isPicture(Picture(folder.path("missing.png"))))
  }

  @Test func `The rest of the request stays unchanged`() throws {
    var request = try NotificationRequest(title: "t") {
      $0.body = "b"
      $0.icon = "/dev/zero"
      $0.image = "http://127.0.0.1/x"
      $0.sound = "/dev/urandom"
    }
    MediaFile.removeUnfit(from: &request)
    #expect(try request == NotificationRequest(title: "t") { $0.body = "b" })
    let fine = try NotificationRequest(title: "t") {
      $0.icon = "mail-unread"
      $0.sound = "bell"
    }
    var same = fine
    MediaFile.removeUnfit(from: &same)
    #expect(same == fine)
  }
}
