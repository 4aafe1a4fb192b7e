// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp

/// Runs the app: makes its delegate, tells it the steps of its life, and runs the queue of the main thread until the
/// program ends.
///
/// - Parameters:
///   - argc: Without effect.
///   - argv: Without effect.
///   - principalClassName: Without effect.
///   - delegateClassName: The name of the delegate's class, as `NSStringFromClass` gives it.
@discardableResult
@preconcurrency @MainActor public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>?, _ principalClassName: String?,
  _ delegateClassName: String?
) -> Int32 {
  guard let name = delegateClassName, let found = NSClassFromString(name) else {
    fatalError("UIApplicationMain: there is no class '\(delegateClassName ?? "")' for the delegate")
  }
  UIApplicationLife.run(found)
}

extension UIApplicationDelegate {
  /// Runs the app with a delegate of this class: `@main` calls it.
  @MainActor public static func main() { UIApplicationLife.run(self) }
}

/// The life of the app.
@MainActor enum UIApplicationLife {
  private static var delegate: (any UIApplicationDelegate)?
  private static var signals: [any DispatchSourceSignal] = []

  static func run(_ delegateClass: AnyClass) -> Never {
    guard let delegate = ObjectOfAnyClass.make(delegateClass) as? any UIApplicationDelegate else {
      fatalError("UIApplicationMain: '\(delegateClass)' is no UIApplicationDelegate that is an NSObject")
    }
    self.delegate = delegate
    UIApplication.shared.delegate = delegate
    endWithSignals(delegate)
    Task { @MainActor in await launch(delegate) }
    RunLoop.main.run()
    exit(0)
  }

  private static func launch(_ delegate: any UIApplicationDelegate) async {
    let application = UIApplication.shared
    let notification = await application.launchNotification()
    let options = notification.map { [UIApplication.LaunchOptionsKey.localNotification: $0 as Any] }
    _ = delegate.application(application, willFinishLaunchingWithOptions: options)
    _ = delegate.application(application, didFinishLaunchingWithOptions: options)
    NotificationCenter.default.post(name: UIApplication.didFinishLaunchingNotification, object: application)
    delegate.applicationDidBecomeActive(application)
    NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: application)
    application.hasLaunched()
  }

  private static func endWithSignals(_ delegate: any UIApplicationDelegate) {
    for number in [SIGTERM, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        MainActor.assumeIsolated {
          delegate.applicationWillTerminate(.shared)
          NotificationCenter.default.post(name: UIApplication.willTerminateNotification, object: UIApplication.shared)
        }
        exit(0)
      }
      source.resume()
      signals.append(source)
    }
  }
}

/// A class whose `init()` has the place of `NSObject`'s in the table of methods, and can be called through a class.
///
/// It is open so that the compiler looks this `init()` up: it would call that of a class without subclasses directly.
@_spi(Initialization) open class ObjectOfAnyClass: NSObject {
  /// Creates an object.
  public required override init() { super.init() }
}

extension ObjectOfAnyClass {
  /// Makes an object of a class that is known by its name only, as if it were a subclass of this one; nil unless it is
  /// a subclass of `NSObject`. Swift lets only required initializers be called through a class.
  static func make(_ found: AnyClass) -> AnyObject? {
    guard found is NSObject.Type else { return nil }
    let made = unsafeBitCast(found, to: ObjectOfAnyClass.Type.self).init()
    // Through a pointer, because the compiler takes it for an object of this class, which it is not.
    return Unmanaged<AnyObject>.fromOpaque(Unmanaged.passRetained(made).toOpaque()).takeRetainedValue()
  }
}
