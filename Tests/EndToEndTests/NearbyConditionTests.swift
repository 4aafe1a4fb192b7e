// SPDX-License-Identifier: Apache-2.0
import Foundation
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
    let bluez = try MockBlueZ(in: stage.session)
    try stage.arm(
      "near", "Beacon {event.major}.{event.minor}",
      on: ("beacon \(MockBlueZ.uuid) 1", "{'beacon': <'\(MockBlueZ.uuid)'>, 'major': <1>}"), by: way)
    try stage.await("near", false)
    // Another group of beacons does not count.
    for group in [2, 1] { try bluez.advertise(group: group) }
    #expect(stage.shown() == "Beacon 1.7")
    try stage.await("near", true)
    bluez.program.kill()
  }

  // The search of a new BlueZ, or of a new center, said at first that the beacon had gone, and then that it came.
  @Test func `A restart of BlueZ or of the center beside a beacon is no coming or going`() throws {
    let stage = try ConditionStage()
    var bluez = try MockBlueZ(in: stage.session)
    try stage.arm(
      "near", "Beacon {event.edge}", on: ("change beacon \(MockBlueZ.uuid) 1", "unused"), by: .command)
    try stage.arm("other", "Other beacon", on: ("beacon \(MockBlueZ.uuid) 2", "unused"), by: .command)
    for id in ["near", "other"] { try stage.await(id, false) }
    try bluez.advertise(group: 1)
    #expect(stage.shown() == "Beacon enter")
    for endsCenter in [false, true] {
      if endsCenter { try stage.session.endCenter() }
      bluez.program.kill()
      if !endsCenter {
        try stage.session.wait(for: "BlueZ is not running", in: "why", "near")
      }
      bluez = try MockBlueZ(in: stage.session)
      try stage.session.wait(for: "it was near, and has not been found again yet", in: "why", "near")
      try stage.await("other", false)
      try bluez.advertise(group: 1)
      try stage.await("near", true)
    }
    // It goes on.
    try bluez.advertise(group: 2)
    var shown = stage.shown()
    while shown == "closed: expired" { shown = stage.shown() }
    #expect(shown == "Other beacon")
    let history = try stage.session.suzu("history", "near", "--json").output
    #expect(history.components(separatedBy: #""due":"#).count == 2, "\(history)")
    bluez.program.kill()
  }
}
