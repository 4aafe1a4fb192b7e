// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
public import Foundation
internal import NotificationModel
package import RunningApp
internal import Suzu
internal import Synchronization

/// Asks for the permission to know the location, and for the location.
///
/// The center of notifications watches regions for the app, also while it does not run: use a request with a
/// `UNLocationNotificationTrigger`.
open class CLLocationManager: NSObject, @unchecked Sendable {
  // @unchecked: all values are behind the lock.

  private struct State {
    weak var delegate: (any CLLocationManagerDelegate)?
    var status = CLAuthorizationStatus.notDetermined
    var updates: Task<Void, Never>?
    var desiredAccuracy = kCLLocationAccuracyBest
    var distanceFilter = kCLDistanceFilterNone
    var activityType = CLActivityType.other
    var updatesInBackground = false
    var showsIndicator = false
    var pauses = true
    var location: CLLocation?
  }

  private let guarded: Guarded<State>
  private let app: RunningApp

  /// Creates a manager, which finds out what the app may know.
  public override convenience init() { self.init(.current) }

  package init(_ app: RunningApp) {
    self.app = app
    guarded = Guarded(State())
    super.init()
    // Every manager tells its delegate once what the app may know.
    Task.detached { [weak self] in await self?.readStatus(tells: true) }
  }

  deinit { guarded.withLock { $0.updates?.cancel() } }

  /// What is told; it is not retained.
  open var delegate: (any CLLocationManagerDelegate)? {
    get { guarded.withLock { $0.delegate } }
    set { guarded.withLock { $0.delegate = newValue } }
  }

  // MARK: The permission

  /// What the app may know: ``CLAuthorizationStatus/notDetermined`` until the center has answered, which the delegate
  /// is told.
  open var authorizationStatus: CLAuthorizationStatus { guarded.withLock { $0.status } }
  /// Always full: the accuracy is not limited.
  open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

  /// What the app may know, in the older form: the last answer to any manager.
  open class func authorizationStatus() -> CLAuthorizationStatus { lastStatus.withLock { $0 } }
  private static let lastStatus = Mutex(CLAuthorizationStatus.notDetermined)

  /// Whether the location can be found. The center finds it, if GeoClue is installed.
  open class func locationServicesEnabled() -> Bool { true }
  /// False: a notification with a location trigger does that.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }
  /// True: see ``startMonitoringSignificantLocationChanges()``.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }
  /// False: the distance to a beacon is not measured.
  open class func isRangingAvailable() -> Bool { false }
  /// False: there is no compass.
  open class func headingAvailable() -> Bool { false }

  /// Asks the user; the delegate is told the answer.
  open func requestWhenInUseAuthorization() { ask() }
  /// Asks the user; the delegate is told the answer.
  open func requestAlwaysAuthorization() { ask() }

  /// Returns at once: the accuracy is full.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {}
  /// Calls the handler at once: the accuracy is full.
  @preconcurrency open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completion?(nil) }

  private func ask() {
    Task.detached { [self, app] in
      do throws(SuzuError) {
        _ = try await app.app().register(for: [.places])
        await readStatus(tells: true)
      } catch {
        tell { $0.locationManager(self, didFailWithError: CLError(.denied, error.message)) }
      }
    }
  }

  private func readStatus(tells: Bool) async {
    guard let settings = try? await app.app().settings() else { return }
    let status = Self.status(settings)
    Self.lastStatus.withLock { $0 = status }
    guarded.withLock { $0.status = status }
    if tells { tell { $0.locationManagerDidChangeAuthorization(self) } }
  }

  private static func status(_ settings: AppSettings) -> CLAuthorizationStatus {
    if settings.denied.contains(.places) { return .denied }
    if settings.allowed.contains(.places) { return .authorizedAlways }
    // The center asks about sandboxed apps. Others are asked by GeoClue, each time that they want the location.
    return settings.asked.contains(.places) && !isSandboxed ? .authorizedAlways : .notDetermined
  }

  private static let isSandboxed =
    FileManager.default.fileExists(atPath: "/.flatpak-info") || ProcessInfo.processInfo.environment["SNAP"] != nil

  private func tell(_ call: @escaping @MainActor @Sendable (any CLLocationManagerDelegate) -> Void) {
    Task { @MainActor [weak self] in
      if let delegate = self?.delegate { call(delegate) }
    }
  }

  // MARK: The location

  /// How exact the location should be. Kept, without effect: GeoClue decides.
  open var desiredAccuracy: CLLocationAccuracy {
    get { guarded.withLock { $0.desiredAccuracy } }
    set { guarded.withLock { $0.desiredAccuracy = newValue } }
  }
  /// How far the machine must move for another update. Kept, without effect.
  open var distanceFilter: CLLocationDistance {
    get { guarded.withLock { $0.distanceFilter } }
    set { guarded.withLock { $0.distanceFilter = newValue } }
  }
  /// How the machine moves. Kept, without effect.
  open var activityType: CLActivityType {
    get { guarded.withLock { $0.activityType } }
    set { guarded.withLock { $0.activityType = newValue } }
  }
  /// Kept, without effect.
  open var showsBackgroundLocationIndicator: Bool {
    get { guarded.withLock { $0.showsIndicator } }
    set { guarded.withLock { $0.showsIndicator = newValue } }
  }
  /// Kept, without effect.
  open var allowsBackgroundLocationUpdates: Bool {
    get { guarded.withLock { $0.updatesInBackground } }
    set { guarded.withLock { $0.updatesInBackground = newValue } }
  }
  /// Kept, without effect.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { guarded.withLock { $0.pauses } }
    set { guarded.withLock { $0.pauses = newValue } }
  }

  /// The location that this manager has found last.
  open var location: CLLocation? { guarded.withLock { $0.location } }

  /// Finds the location once; the delegate is told it, or why it cannot be found.
  open func requestLocation() {
    Task.detached { [self] in await find() }
  }

  /// Finds the location now, and once a minute until ``stopUpdatingLocation()``.
  open func startUpdatingLocation() {
    guarded.withLock { state in
      guard state.updates == nil else { return }
      state.updates = Task.detached { [weak self] in
        while !Task.isCancelled {
          await self?.find()
          do { try await Task.sleep(for: .seconds(60)) } catch { return }
        }
      }
    }
  }

  /// Ends the updates.
  open func stopUpdatingLocation() {
    let updates = guarded.withLock { state in
      defer { state.updates = nil }
      return state.updates
    }
    updates?.cancel()
  }

  /// As ``startUpdatingLocation()``: the desktop has no other updates.
  open func startMonitoringSignificantLocationChanges() { startUpdatingLocation() }
  /// As ``stopUpdatingLocation()``.
  open func stopMonitoringSignificantLocationChanges() { stopUpdatingLocation() }

  private func find() async {
    do throws(SuzuError) {
      let position = try await app.app().center.position()
      let location = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude), altitude: 0,
        horizontalAccuracy: position.accuracy, verticalAccuracy: -1, timestamp: Date())
      guarded.withLock { $0.location = location }
      tell { $0.locationManager(self, didUpdateLocations: [location]) }
    } catch {
      let problem = CLError(error.code == .accessDenied ? .denied : .locationUnknown, error.message)
      tell { $0.locationManager(self, didFailWithError: problem) }
    }
  }

  // MARK: Regions

  /// Always empty.
  open var monitoredRegions: Set<CLRegion> { [] }
  /// The largest radius of a circle that the center watches: 1000 km.
  open var maximumRegionMonitoringDistance: CLLocationDistance { 1_000_000 }

  /// Tells the delegate that regions are not watched for a program: a notification with a location trigger is shown
  /// also while the program does not run.
  open func startMonitoring(for region: CLRegion) {
    let error = CLError(.regionMonitoringDenied, "regions are watched only for notifications with a location trigger")
    tell { $0.locationManager(self, monitoringDidFailFor: region, withError: error) }
  }

  /// Does nothing.
  open func stopMonitoring(for region: CLRegion) {}

  /// Tells the delegate whether the machine is in a circle.
  open func requestState(for region: CLRegion) {
    Task.detached { [self] in
      var state = CLRegionState.unknown
      if let circle = region as? CLCircularRegion, let position = try? await app.app().center.position() {
        let point = CLLocationCoordinate2D(latitude: position.latitude, longitude: position.longitude)
        state = circle.contains(point) ? .inside : .outside
      }
      let known = state
      tell { $0.locationManager(self, didDetermineState: known, for: region) }
    }
  }
}
