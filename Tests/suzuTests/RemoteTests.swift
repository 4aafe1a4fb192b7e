// SPDX-License-Identifier: Apache-2.0
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Tests the lines between two machines, and where the socket is looked for.
@Suite struct RemoteTests {
  @Test func `Every answer is read as it was written`() throws {
    let answers: [RemoteAnswer] = [
      .greeting(app: "dev.suzu.Remote.build"), .id("i"), .count(3),
      .rows([["id": .text("x"), "title": .text("ä\n")]], next: "c"),
      .failed(code: "accessDenied", message: "no"), .response(action: "yes", reply: nil),
      .response(action: "answer", reply: "half\nmoon"), .outcome(action: "yes", .refused("scheme"), isDialog: false),
      .outcome(action: "a", .lapsed("cancelled"), isDialog: true), .ended(.dismissed), .ended(.notAllowed),
      .centerEnded,
    ]
    for answer in answers {
      let line = PlainValue.dictionary(answer.words).json
      guard case .dictionary(let words) = try JSONReader.read(line) else { continue }
      #expect(RemoteAnswer(words) == answer)
      #expect(!line.contains("\n"))
    }
  }

  @Test(
    arguments: [
      [:], ["suzu": .integer(2), "app": .text("x")], ["count": .text("3")], ["ended": .integer(1)], ["id": .flag(true)],
    ] as [[String: PlainValue]])
  func `Another line is no answer`(words: [String: PlainValue]) {
    #expect(RemoteAnswer(words) == nil)
  }

  @Test func `What names files of the other machine or another sender is left out`() {
    let request = HomeRequest([
      "title": .text("t"), "icon": .text("/home/x/icon.png"), "image": .text("file:///x"), "sound": .text("bell"),
      "appName": .text("Firefox"), "hints": .dictionary([:]),
    ])
    #expect(request.words == ["title": .text("t"), "sound": .text("bell")])
    #expect(request.lost == ["icon", "image", "appName", "hints"])
    #expect(HomeRequest(["title": .text("t")]).warning == nil)
  }

  @Test func `The socket must be this user's, and outside of SSH only the variable counts`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("suzu-home.sock")
    // The file stays when the socket is closed.
    _ = try SocketPath.listen(path)
    let login = ["SSH_CONNECTION": "x", "XDG_RUNTIME_DIR": folder.path("")]
    func find(_ environment: [String: String], owner: UInt32 = getuid()) -> String? {
      HomeSocket.path(in: { environment[$0] }, owner: owner)
    }
    #expect(find(login) == folder.path("") + "/suzu-home.sock")
    #expect(find(["XDG_RUNTIME_DIR": folder.path("")]) == nil)
    #expect(find(["SUZU_HOME_SOCKET": path]) == path)
    #expect(find(login.merging(["SUZU_HOME_SOCKET": "none"]) { $1 }) == nil)
    #expect(find(["SUZU_HOME_SOCKET": path], owner: getuid() + 1) == nil)
    try folder.write("", to: "file")
    #expect(find(["SUZU_HOME_SOCKET": folder.path("file")]) == nil)
    // Only this user may connect.
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `The printed lines name both ends of the socket`() throws {
    let host = try #require(RemoteHost("build"))
    let text = SSHLines(host: host, local: "/run/user/1000/suzu/remote-build.sock", user: 1000).text
    #expect(
      text.contains("\nssh -R /run/user/1000/suzu-home.sock:/run/user/1000/suzu/remote-build.sock build\n"))
    #expect(
      text.contains(
        "\nHost build\n  RemoteForward /run/user/1000/suzu-home.sock /run/user/1000/suzu/remote-build.sock\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `A machine's name is plain`() {
    for name in ["build", "my-laptop.local", "_x", "1"] { #expect(RemoteHost(name)?.app == "dev.suzu.Remote." + name) }
    for name in ["", ".x", "-x", "a b", "a/b", "a:b", "ä"] { #expect(RemoteHost(name) == nil) }
    #expect(RemoteHost.owns("dev.suzu.Remote.x") && !RemoteHost.owns("dev.suzu.Suzu"))
  }
}
