// SPDX-License-Identifier: Apache-2.0

/// The subscription of one link: it is connected, or waits for the next attempt. Each transport has its own, in a
/// folder of its own.
protocol Subscription: AnyObject {
  func start()
  /// - Parameter isRemoved: whether the link is gone for good, and the server need not keep anything for it.
  func stop(isRemoved: Bool)
}

/// One attempt to connect a link, for `suzu link test`.
protocol Trial: AnyObject {
  /// - Parameter ended: called once, perhaps from inside of a call of libcurl.
  func start(_ ended: @escaping (TrialOutcome) -> Void) throws(TransferFailure)
  func stop()
}

/// How an attempt has ended, in a line.
enum TrialOutcome {
  case worked(String)
  case failed(String)
}
