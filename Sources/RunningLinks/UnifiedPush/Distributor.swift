// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import Links

/// A program of this desktop that receives the messages of a push server: a distributor of UnifiedPush.
struct Distributor {
  let name: BusName
  let connection: Connection

  /// How a registration ended.
  enum Answer: Equatable {
    /// The address follows in a call to us.
    case registered(version: Int)
    /// - Parameter isTemporary: whether another attempt alone may help.
    case refused(String, isTemporary: Bool)
  }

  /// All that run or that the bus can start, by name.
  static func all(on connection: Connection) async throws(CallError) -> [BusName] {
    let running = try await connection.call(BusMethods.listNames, of: .bus)
    let startable = try await connection.call(UnifiedPushBus.startable, of: .bus)
    let names = Set((running + startable).filter { $0.hasPrefix(ServerAddress.distributors) })
    return names.sorted().compactMap { BusName($0) }
  }

  /// The one to use.
  ///
  /// - Parameter wanted: the name that the user has chosen, or that the link has used.
  static func choose(_ wanted: String?, on connection: Connection) async -> Result<Distributor, DistributorProblem> {
    let names: [BusName]
    do throws(CallError) { names = try await all(on: connection) } catch {
      return .failure(DistributorProblem("the session bus does not answer", isTemporary: true))
    }
    if let wanted {
      if let name = names.first(where: { $0.text == wanted }) {
        return .success(Distributor(name: name, connection: connection))
      }
      return .failure(
        DistributorProblem("the distributor '\(wanted)' does not run, and the bus cannot start it; start it"))
    }
    switch names.count {
    case 0:
      return .failure(
        DistributorProblem("no distributor of UnifiedPush runs; install one, such as that of KDE: kunifiedpush"))
    case 1: return .success(Distributor(name: names[0], connection: connection))
    default:
      let list = names.prefix(5).map(\.text).joined(separator: ", ")
      return .failure(
        DistributorProblem(
          "several distributors of UnifiedPush run (\(list)); add the link again with --distributor", isChoice: true))
    }
  }

  /// Registers a link, or asks for its address again.
  func register(_ token: String, for link: LinkName, vapid: String?) async -> Answer {
    // The longest name of a link is shorter than the 100 bytes that are allowed.
    let description = "Suzu: \(link)"
    var words: UnifiedPushBus.Words = [
      "service": .string(LinkBus.name.text), "token": .string(token), "description": .string(description),
    ]
    words["vapid"] = vapid.map { .string($0) }
    do throws(CallError) {
      let answer = try await connection.call(UnifiedPushBus.register, of: .distributor(name, version: 2), words)
      return Self.answer(answer["success"]?.string, answer["reason"]?.string, version: 2)
    } catch {
      guard Self.isOfOtherVersion(error) else { return Self.answer(error) }
    }
    do throws(CallError) {
      let (result, reason) = try await connection.call(
        UnifiedPushBus.firstRegister, of: .distributor(name, version: 1), LinkBus.name.text, token,
        description)
      return Self.answer(result, reason, version: 1)
    } catch {
      return Self.isOfOtherVersion(error)
        ? .refused("the distributor speaks neither version 2 nor 1 of UnifiedPush; update it", isTemporary: false)
        : Self.answer(error)
    }
  }

  /// Ends a registration, without waiting for the answer.
  ///
  /// - Parameter version: nil if it is not known.
  static func unregister(_ token: String, of name: BusName, version: Int?, on connection: isolated Connection) {
    if version != 1 {
      try? connection.post(
        UnifiedPushBus.unregister, of: .distributor(name, version: 2), ["token": .string(token)])
    }
    if version != 2 {
      try? connection.post(UnifiedPushBus.firstUnregister, of: .distributor(name, version: 1), token)
    }
  }

  private static func isOfOtherVersion(_ error: CallError) -> Bool {
    [.unknownMethod, .unknownInterface, .unknownObject].contains { error.isRefusal($0) }
  }

  /// Version 1 names success in two ways, and gives reasons in its own words, which are not repeated here.
  private static func answer(_ result: String?, _ reason: String?, version: Int) -> Answer {
    switch (result, reason) {
    case ("REGISTRATION_SUCCEEDED", _): .registered(version: version)
    case ("NEW_ENDPOINT", _) where version == 1: .registered(version: version)
    case (_, "NETWORK"): .refused("the distributor has no network", isTemporary: true)
    case (_, "INTERNAL_ERROR"): .refused("the distributor has failed", isTemporary: true)
    case (_, "ACTION_REQUIRED"):
      .refused(
        "the distributor needs you, such as to sign in at its push server; open its settings", isTemporary: false)
    case (_, "VAPID_REQUIRED"):
      .refused(
        "the distributor wants the public key of the sender; add the link again with --vapid", isTemporary: false)
    case (_, "UNAUTHORIZED"): .refused("the distributor does not permit suzu-link to register", isTemporary: false)
    default: .refused("the distributor refuses the registration", isTemporary: false)
    }
  }

  private static func answer(_ error: CallError) -> Answer {
    for name in [ErrorName.serviceUnknown, .nameHasNoOwner] where error.isRefusal(name) {
      return .refused("the distributor does not run", isTemporary: true)
    }
    return .refused("the distributor does not answer", isTemporary: true)
  }
}

/// Why no distributor can be used.
struct DistributorProblem: Error, Equatable {
  let text: String
  /// Whether another attempt may help soon; otherwise one that appears on the bus does.
  let isTemporary: Bool
  /// Whether the user has to choose.
  let isChoice: Bool

  init(_ text: String, isTemporary: Bool = false, isChoice: Bool = false) {
    (self.text, self.isTemporary, self.isChoice) = (text, isTemporary, isChoice)
  }
}
