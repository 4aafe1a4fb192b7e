// SPDX-License-Identifier: Apache-2.0

/// Requests that wait for something to happen, which the mocks of python-dbusmock let happen.
extension Effect {
  static let conditions: [Effect] = [
    Effect(
      "suzu notify 'Plug in the charger'", prints: "\(id)\n\(id)\n\(id)\n\(id)",
      complains: [
        unknown("battery < 20%", noBus), unknown("unit backup.service failed", "systemd's user manager is not running"),
        unknown("leave wifi Home", noBus),
      ].joined(separator: "\n"),
      after: [
        .shell("suzu list", "when battery < 20%"), .shell("suzu list", "when unit backup.service failed"),
        .shell("suzu list", "when leave wifi Home"), .shell("suzu list", "when file /home/ada/prints/done"),
      ]),
    Effect(
      "suzu place add", prints: "NAME .*office +52.52,13.405 +200m\n\(id)",
      complains: unknown("leave place office", noBus),
      after: [.shell("suzu list", "when leave place office"), .shell("suzu place remove office; suzu place", "")]),
    Effect("suzu why backup", given: why, prints: ".*: came because of 'file .*/done'.*; it is on the screen"),
    Effect(
      "\"on\": \"battery < 20%\"",
      after: [
        .shell(
          "cd ~/.config/suzu/categories.d && mv recipe.json ~ && cd && suzu import recipe.json && suzu list",
          "when leave wifi Home for 1m")
      ]),
  ]

  static let events: [Effect] = [
    Effect(
      "'battery > 80%'", given: mock("upower", "UPower", #"{"OnBattery": false}"#), hasSystemBus: true,
      prints: "charged", complains: unknown("battery > 80%", "this machine has no battery"),
      after: [
        .shell(charge(79), ""), .shell(until("charged", "now: +false"), ""), .shell(charge(81), ""),
        .posted("Unplug the charger"), .shown("Unplug the charger", ".*81 % is enough.*"),
      ]),
    Effect(
      "restart=Restart", given: mock("systemd", "systemd1", "{}") + unit("AddMockUnit backup.service"),
      prints: "backup",
      after: [
        .shell(until("backup", "now: +false"), ""), .shell(state("failed"), ""), .posted("backup.service failed"),
        .press("backup.service failed", "log"), .ran("journalctl --user -u backup.service -n 20"),
        .shell(failAgain, ""), .posted("backup.service failed"),
        .press("backup.service failed", "restart"), .ran("systemctl --user restart backup.service"),
        .shell(failAgain, ""), .posted("backup.service failed"),
        .chosen("backup.service failed", "mute", "done"), .shell("suzu list --json", #"^\[\]"#),
      ]),
    Effect(
      "'leave wifi Home'", given: mock("networkmanager", "NetworkManager", "{}") + network("Home", 2),
      hasSystemBus: true,
      prints: "umbrella",
      after: [
        .shell(until("umbrella", "now: +true"), ""), .shell(networkState(4), ""), .posted("Take an umbrella"),
      ]),
    Effect(
      "lamp on", given: mock("networkmanager", "NetworkManager", "{}") + network("Phone", 1), hasSystemBus: true,
      prints: "lamp",
      after: [
        .shell(until("lamp", "now: +false"), ""), .shell(networkState(2), ""), .posted("You are back"),
        .press("You are back", "on"), .ran("lamp on"),
      ]),
    Effect(
      "\"file $HOME/prints/done\"", prints: "print",
      after: [
        .shell("mkdir prints; " + until("print", "now: +false") + "; echo >prints/done", ""),
        .posted("The print is done"),
      ]),
  ]

  /// The examples in the help of `suzu place`, `suzu why` and `suzu apps`.
  static let conditionHelp: [Effect] = [
    Effect("suzu place add office 52.5200,13.4050 200m", after: [.shell("suzu place", "office +52.52,13.405 +200m")]),
    Effect(
      "suzu place add home here 300m", complains: "suzu: place: the system bus cannot be reached", status: 69,
      after: [.shell("suzu place list --json", #"^\[\]"#)]),
    Effect("suzu place remove office", given: office, after: [.shell("suzu place list --json", #"^\[\]"#)]),
    Effect("suzu why backup", given: why, prints: ".*: came because of 'file .*/done'.*; it is on the screen"),
    Effect(
      "suzu why alarm --json | jq -r '.[0].why'", given: "suzu notify 'Get up' --id alarm --every 07:30",
      prints: "will come then"),
    Effect(
      "suzu apps allow org.example.Chatter places",
      complains: "suzu: apps: warning: stored, but no app 'org.example.Chatter' is installed or has sent anything; .*",
      after: [.shell("suzu apps", "org.example.Chatter .*places")]),
  ]

  private static let noBus = "the system bus cannot be reached"

  /// The warning of a condition whose source is missing.
  private static func unknown(_ condition: String, _ reason: String) -> String {
    "suzu: notify: warning: nothing is known about '\(condition)', because \(reason); .*"
  }

  private static let office = "suzu place add office 52.52,13.405"

  private static let why = """
    suzu notify Backup --id backup --on "file $HOME/done"; \(until("backup", "now: +false")); touch done
    until suzu why backup | grep -q 'on the screen'; do :; done
    """

  /// Waits until `suzu next` tells about a request what the pattern says.
  private static func until(_ id: String, _ pattern: String) -> String {
    "until suzu next \(id) | grep -Eq '\(pattern)'; do :; done"
  }

  /// Starts a service of python-dbusmock, and waits for it.
  private static func mock(_ template: String, _ name: String, _ parameters: String) -> String {
    """
    /usr/bin/python3 -m dbusmock --session --template \(template) --parameters '\(parameters)' >/dev/null 2>&1 </dev/null &
    gdbus wait --session --timeout 10 org.freedesktop.\(name)

    """
  }

  private static func call(_ name: String, _ path: String, _ rest: String) -> String {
    "gdbus call --session -d org.freedesktop.\(name) -o \(path) -m org.freedesktop.DBus.Mock.\(rest) >/dev/null\n"
  }

  private static func charge(_ percent: Int) -> String {
    call(
      "UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
      "UpdateProperties org.freedesktop.UPower.Device \"{'IsPresent': <true>, 'Percentage': <\(percent).0>}\"")
  }

  private static func unit(_ rest: String) -> String { call("systemd1", "/org/freedesktop/systemd1", rest) }

  private static func state(_ state: String) -> String {
    call(
      "systemd1", "/org/freedesktop/systemd1/unit/backup_service",
      "UpdateProperties org.freedesktop.systemd1.Unit \"{'ActiveState': <'\(state)'>}\"")
  }

  /// Lets the unit fail again until the notification is there: a second one within a second counts as the same.
  private static let failAgain =
    "until suzu list --delivered --json | grep -q backup; do\n\(state("active"))\(state("failed"))done"

  /// A Wi-Fi with this name, whose connection has this state: 2 is connected.
  private static func network(_ name: String, _ state: Int) -> String {
    let manager = "/org/freedesktop/NetworkManager"
    return call("NetworkManager", manager, "AddWiFiDevice wlan0 wlan0 100")
      + call(
        "NetworkManager", manager,
        "AddAccessPoint \(manager)/Devices/wlan0 ap1 \(name) 00:23:F8:7E:12:BB 2 2425 5400 82 256")
      + call("NetworkManager", manager, "AddWiFiConnection \(manager)/Devices/wlan0 home \(name) wpa-psk")
      + call(
        "NetworkManager", manager,
        "AddActiveConnection \"['\(manager)/Devices/wlan0']\" \(manager)/Settings/home \(manager)/AccessPoint/ap1 "
          + "active1 \(state)")
  }

  private static func networkState(_ state: Int) -> String {
    call(
      "NetworkManager", "/org/freedesktop/NetworkManager/ActiveConnection/active1",
      "UpdateProperties org.freedesktop.NetworkManager.Connection.Active \"{'State': <uint32 \(state)>}\"")
  }
}
