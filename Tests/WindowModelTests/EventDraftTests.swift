// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import WindowModel

/// Tests conditions in words, and the sentence of an event.
@Suite struct EventDraftTests {
  @Test(arguments: [
    ("power", "the charger is plugged in"), ("leave power", "the charger is unplugged"),
    ("change power for 5m", "the charger is plugged in or is unplugged, and stays so for 5m"),
    ("battery < 20%", "the battery falls below 20 %"), ("leave unlocked", "the screen is locked"),
    ("idle 10m", "the machine had no input for 10m"), ("awake", "the machine wakes up"),
    ("leave wifi 'My Home'", "the Wi-Fi \u{2068}My Home\u{2069} is left"),
    ("unit backup.service failed", "the unit \u{2068}backup.service\u{2069} fails"),
    ("system unit sshd.service active", "the system unit \u{2068}sshd.service\u{2069} starts"),
    ("file /tmp/a changes", "the file \u{2068}/tmp/a\u{2069} is written"),
    ("place 52.52,13.405 200m", "the place 52.52, 13.405 (200 m) is reached"),
    ("signal org.example.A.Done", "the signal \u{2068}org.example.A.Done\u{2069} comes"),
    ("no condition", "\u{2068}no condition\u{2069}"),
  ])
  func `A condition has words`(_ text: String, _ words: String) { #expect(ConditionText.words(text) == words) }

  @Test(arguments: [
    "power", "change power", "battery < 20%", "battery > 80%", "leave wifi 'My Home' for 5m", "network 'Work VPN'",
    "leave place office", "place 52.52,13.405 200m", "leave place -33.9,151.2 1000m for 5m",
    "leave beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2", "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E",
    "leave unlocked", "idle 10m", "leave idle 10m", "awake", "file /tmp/a", "leave file /tmp/a",
    "file /tmp/a changes", "unit backup.service inactive", "device ID_VENDOR=Yubico",
    "signal org.example.A.Done from org.example.A",
  ])
  func `A condition that becomes choices is the same again`(_ text: String) throws {
    let words: [String: PlainValue] = ["on": .text(text), "repeat": .flag(true), "cooldown": .text("1h")]
    let draft = try #require(EventDraft(row("a", nil, words)))
    #expect(try draft.condition()?.text == text)
    let made = try draft.words()
    #expect(made["on"] == .text(text) && made["cooldown"] == .text("1h") && made["id"] == .text("a"))
  }

  @Test(arguments: ["system unit a.service failed", "leave battery < 20%", "x"])
  func `Other conditions are no sentence`(_ text: String) {
    #expect(EventDraft(row("a", nil, ["on": .text(text)])) == nil)
  }

  @Test func `What is missing or wrong is said at its place`() {
    func problem(_ change: (inout EventDraft) -> Void) -> EventDraft.Problem? {
      var draft = EventDraft()
      draft.title = "Tea"
      change(&draft)
      do throws(EventDraft.Problem) {
        _ = try draft.words()
        return nil
      } catch { return error }
    }
    #expect(problem { _ in } == nil)
    #expect(problem { $0.title = " " }?.field == .title)
    #expect(problem { $0.source = .wifi } == .init(field: .what, text: "Say which one, for example: Home"))
    #expect(problem { ($0.source, $0.what) = (.battery, "200") }?.text == "It must be a number from 0 to 100")
    #expect(problem { $0.hold = "soon" }?.field == .hold)
    #expect(problem { ($0.source, $0.what) = (.idle, "x") }?.field == .what)
    #expect(problem { ($0.source, $0.what, $0.state, $0.hold) = (.file, "/a", 2, "5m") }?.field == .hold)
    #expect(problem { ($0.source, $0.what) = (.signal, "nonsense") }?.field == .what)
    #expect(problem { ($0.source, $0.what) = (.place, "52.52,13.405") }?.text.contains("radius") == true)
    #expect(problem { ($0.source, $0.what) = (.place, "97,13.405 200m") }?.field == .what)
    #expect(problem { ($0.source, $0.what) = (.beacon, "F7826DA6") }?.text.contains("UUID") == true)
    // It would be lost: the line below says for how long.
    let hold = "F7826DA6-4FA2-4E98-8024-BC5B71E0893E for 5m"
    #expect(problem { ($0.source, $0.what) = (.beacon, hold) }?.text.contains("a line of its own") == true)
    // Another source begins anew.
    #expect(problem { ($0.source, $0.what, $0.source) = (.file, "/a", .wifi) }?.field == .what)
    #expect(problem { ($0.hold, $0.source) = ("5m", .awake) } == nil)
  }

  @Test func `Coordinates may get a name, which is not taken yet`() throws {
    let office = try NamedPlace("office", latitude: 1, longitude: 2, radius: 300)
    var draft = EventDraft()
    (draft.source, draft.what, draft.title) = (.place, "52.52,13.405 200m", "Tea")
    #expect(draft.isPosition)
    #expect(try draft.newPlace(among: [office]) == nil)
    draft.placeName = " home "
    let home = try draft.newPlace(among: [office])
    #expect(try home == NamedPlace("home", latitude: 52.52, longitude: 13.405, radius: 200))
    #expect(try draft.words(at: home)["on"] == .text("place home"))
    for name in ["office", "1,2", String(repeating: "x", count: 300)] {
      draft.placeName = name
      let problem = #expect(throws: EventDraft.Problem.self) { try draft.newPlace(among: [office]) }
      #expect(problem?.field == .place, "\(name)")
    }
    // A place with a name is not named again.
    draft.what = "office"
    #expect(!draft.isPosition)
    #expect(try draft.newPlace(among: [office]) == nil)
  }

  @Test(arguments: [
    (0.0, "52.52001,13.405 200m"), (100, "52.52001,13.405 200m"), (180, "52.52001,13.405 400m"),
    (Double.infinity, "52.52001,13.405 200000m"),
  ])
  func `A position becomes a circle that is larger than its inaccuracy`(_ accuracy: Double, _ text: String) throws {
    let circle = PositionText.circle((latitude: 52.5200066, longitude: 13.40500001, accuracy: accuracy))
    #expect(circle == text)
    _ = try Condition("place \(circle)")
  }
}
