// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import TestSupport
import Testing

@testable import suzu

/// Tests how a terminal that draws pictures is found, and which picture of a notification it draws.
@Suite struct GraphicsSearchTests {
  private func search(
    _ choice: GraphicsSearch.Choice = .auto, _ environment: [String: String] = ["TERM": "xterm-256color"],
    pane: TmuxPane? = nil, after answers: TerminalReport...
  ) -> GraphicsSearch {
    var search = GraphicsSearch(choice, in: { environment[$0] }, pane: pane)
    for answer in answers { search.take(answer) }
    return search
  }

  @Test func `The terminal is asked for both ways, and the first that it has counts`() throws {
    let question = try #require(search().question)
    #expect(question.hasPrefix("\u{1B}_G") && question.contains("a=q") && question.hasSuffix("\u{1B}[c"))
    #expect(search(after: .kittyGraphics(true), .attributes([62, 4])).result == .found(.kitty))
    #expect(search(after: .kittyGraphics(false), .attributes([62, 4])).result == .found(.sixel))
    #expect(search(after: .attributes([62, 4])).result == .found(.sixel))
    // The class of the terminal is no attribute.
    #expect(search(after: .attributes([4, 6])).result == .none("the terminal has neither kitty's protocol nor sixel"))
    #expect(search(after: .cell(CellSize.usual)).result == .open)
  }

  @Test func `A terminal that answers never has none`() {
    var search = search()
    search.end()
    #expect(search.result == .none("the terminal did not answer"))
    search.take(.kittyGraphics(true))
    search.take(.attributes([62, 4]))
    #expect(search.result == .none("the terminal did not answer"))
  }

  @Test(arguments: [
    ["TERM": "linux"], ["TERM": "dumb"], [:], ["TERM": "xterm", "STY": "1.x"], ["TERM": "tmux-256color"],
  ])
  func `Some terminals are not asked`(environment: [String: String]) {
    let search = search(.auto, environment)
    #expect(search.question == nil)
    guard case .none = search.result else { return #expect(Bool(false), "\(search.result)") }
    #expect(self.search(.sixel, environment).result == .found(.sixel))
  }

  @Test func `tmux counts as its terminal and itself can do`() {
    let inside = ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"]
    let able = TmuxPane("11\ton\txterm\txterm\t1\tRGB,sixel,title\n")
    let unable = TmuxPane("11\ton\txterm\txterm\t1\tRGB,title\n")
    #expect(able?.drawsSixel == true && unable?.drawsSixel == false)
    #expect(search(.auto, inside, pane: able, after: .attributes([1, 2, 4])).result == .found(.sixel))
    #expect(search(.auto, inside, pane: able).question?.contains("\u{1B}_G") == false)
    // A terminal behind tmux that answers nevertheless would draw over other panes.
    #expect(search(.auto, inside, pane: able, after: .kittyGraphics(true)).result == .open)
    #expect(search(.auto, inside, pane: unable).question == nil && search(.auto, inside).question == nil)
  }

  @Test func `A choice needs no answer, but takes the size of a cell`() {
    let search = search(.kitty, ["TERM": "linux"], after: .cell(CellSize(width: 7, height: 15)!), .attributes([6]))
    #expect(search.result == .found(.kitty) && search.cell == CellSize(width: 7, height: 15))
    #expect(search.question?.contains("\u{1B}_G") == false)
    #expect(self.search(.none).question == nil)
    #expect(CellSize(width: 0, height: 20) == nil && CellSize(width: 10, height: 100_000) == nil)
  }

  @Test func `A picture takes its cells, at most ten by four`() throws {
    let cell = CellSize.usual
    func cells(_ width: Int, _ height: Int) -> [Int] {
      let cells = ImageCells(1, size: (width, height), cell: cell)
      return [cells.columns, cells.rows]
    }
    #expect(cells(64, 64) == [6, 3] && cells(500, 500) == [8, 4] && cells(4000, 10) == [10, 1])
    #expect(cells(1, 1) == [1, 1] && cells(10, 4000) == [1, 4] && cells(1000, 400) == [10, 2])
  }

  // MARK: The picture of a notification

  @Test func `The bytes of an image come first, then its path, then the icon`() throws {
    let folder = try TemporaryFolder()
    func file(_ name: String, _ size: Int) throws -> String {
      let path = folder.path(name)
      let bytes = PictureSamples.png(size, size) { PictureSamples.squares($0, $1, of: size) }
      try PixelsTests.write(bytes, to: path)
      return path
    }
    let (image, icon) = (try file("image ü.png", 4), try file("icon.png", 6))
    let data = PictureSamples.hint(2, 2, stride: 8, [UInt8](repeating: 9, count: 16))
    func size(_ hints: [String: Value], icon: String = "") -> Int? {
      PopupImage(ServerNotification(appName: "a", icon: icon, summary: "s", hints: hints))?.size.width
    }
    #expect(size(["image-data": data, "image-path": .string(image)], icon: icon) == 2)
    #expect(size(["image_data": data]) == 2 && size(["icon_data": data]) == 2)
    #expect(size(["image-path": .string(image), "icon_data": data], icon: icon) == 4)
    let url = "file://" + image.replacing(" ", with: "%20").replacing("ü", with: "%C3%BC")
    #expect(size(["image-path": .string(url)]) == 4)
    #expect(size([:], icon: icon) == 6 && size([:], icon: "file://" + icon) == 6)
    #expect(size(["icon_data": data], icon: icon) == 6)
    // One that cannot be drawn leaves its place to the next.
    #expect(size(["image-data": .string("x"), "image-path": .string("/none.png")], icon: icon) == 6)
    #expect(size([:]) == nil && size([:], icon: "https://example.org/a.png") == nil)
    #expect(size(["image-path": .uint32(1)], icon: "../../etc/passwd") == nil)
  }

  @Test func `A large picture is kept small`() throws {
    let bytes = [UInt8](repeating: 200, count: 1000 * 500 * 4)
    let hints: [String: Value] = ["image-data": PictureSamples.hint(1000, 500, stride: 4000, bytes)]
    let image = try #require(PopupImage(ServerNotification(appName: "a", summary: "s", hints: hints)))
    #expect(image.size == (256, 128) && image.cost == 256 * 128 * 4)
  }
}
