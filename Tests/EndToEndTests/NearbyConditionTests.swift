// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests conditions on networks and beacons from the request to the notification, with the services of python-dbusmock.
/// There is no radio here.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct NearbyConditionTests {
  @Test(arguments: ConditionStage.Way.allCases)
  func `A network that is connected or left is told`(_ way: ConditionStage.Way) throws {
    let stage = try ConditionStage()
    let manager = try MockNetworkManager(in: stage.session)
    try stage.arm("enter", "{event.network} is there", on: ("network Office", "{'network': <'Office'>}"), by: way)
    try stage.arm(
      "leave", "{event.ssid} is gone", on: ("leave wifi Work", "{'wifi': <'Work'>, 'edge': <'leave'>}"), by: way)
    for id in ["enter", "leave"] { try stage.await(id, false) }
    for _ in 0..<2 {
      try manager.set(true)
      #expect(stage.shown() == "Office is there")
      for id in ["enter", "leave"] { try stage.await(id, true) }
      try manager.set(false)
      #expect(stage.shown() == "Work is gone")
      for id in ["enter", "leave"] { try stage.await(id, false) }
    }
    try stage.arm(
      "both", "{event.edge} Work", on: ("change wifi Work", "{'wifi': <'Work'>, 'edge': <'change'>}"), by: way)
    for id in ["enter", "leave"] { #expect(try stage.session.suzu("cancel", id).status == 0) }
    try stage.await("both", false)
    for isConnected in [true, false] {
      try manager.set(isConnected)
      #expect(stage.shown() == (isConnected ? "enter Work" : "leave Work"))
    }
    manager.program.kill()
  }

  @Test(arguments: ConditionStage.Way.allCases)
  func `A beacon that comes near is told`(_ way: ConditionStage.Way) throws {
    let stage = try ConditionStage()
    // Newer versions of the mock offer advertisement monitors, but never report a device to one.
    let mock = try stage.mock("bluez5", "org.bluez", #"{"enable_monitor_api": false}"#)
    try stage.call("org.bluez", "/", "org.bluez.Mock.AddAdapter", "hci0", "laptop")
    let device = try stage.call("org.bluez", "/", "org.bluez.Mock.AddDevice", "hci0", "11:22:33:44:55:66", "b")
      .split(separator: "'")[1]
    let uuid = "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"
    try stage.arm(
      "near", "Beacon {event.major}.{event.minor}",
      on: ("beacon \(uuid) 1", "{'beacon': <'\(uuid)'>, 'major': <1>}"), by: way)
    try stage.await("near", false)
    // Another group of beacons does not count. The mock cannot change properties that are dictionaries.
    for major in [2, 1] {
      let bytes = uuid.filter { $0 != "-" }
      let identity = stride(from: 0, to: bytes.count, by: 2).map { "0x" + bytes.dropFirst($0).prefix(2) }
      let data = (["0x02", "0x15"] + identity + ["0", "\(major)", "0", "7", "0xC5"]).joined(separator: ", ")
      try stage.call(
        "org.bluez", String(device), "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.DBus.Properties",
        "PropertiesChanged", "sa{sv}as",
        "[<'org.bluez.Device1'>, <{'ManufacturerData': <{uint16 76: <@ay [\(data)]>}>}>, <@as []>]")
    }
    #expect(stage.shown() == "Beacon 1.7")
    try stage.await("near", true)
    mock.kill()
  }
}
