// SPDX-License-Identifier: Apache-2.0

/// How long links wait. One value, so that tests can wait less.
package struct LinkTiming {
  /// The usual times.
  package init() {}

  /// The first pause before a new attempt; each may be twice as long.
  var firstPause: Duration = .seconds(1)
  /// The longest pause before a new attempt to connect: after a night without a network, messages come within this
  /// time.
  var longestPause: Duration = .seconds(60)
  /// The longest pause before the next call of a center that does not answer. The bus says when it appears.
  var longestCenterPause: Duration = .seconds(30)
  /// The pause after a refusal, such as of a token, that an attempt alone does not change.
  var pauseAfterRefusal: Duration = .seconds(900)
  /// A connection that lasts this long is a good one: the next pause is the first again.
  var steady: Duration = .seconds(20)
  /// How long a poll request of the server waits for the next one.
  var pollPause: Duration = .seconds(5)
  /// How long a distributor of UnifiedPush may take to give an address.
  var endpointLimit: Duration = .seconds(30)
  /// How long the call of a server may take.
  var callLimit: Duration = .seconds(30)
  /// How long a picture of a message may take.
  var pictureLimit: Duration = .seconds(15)
  /// What the random part of a pause comes from.
  var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
}
