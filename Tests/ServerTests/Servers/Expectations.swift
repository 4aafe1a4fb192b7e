// SPDX-License-Identifier: Apache-2.0

/// What is known of a server. Whatever is not as one would expect says why: the report prints it below its table.
struct Expectations: Sendable {
  /// Whether there is something to check.
  enum Feature: Sendable {
    case there
    /// It is, and there is something to know about it.
    case noted(String)
    /// There is no such thing on this server.
    case absent(String)
  }

  /// The labels of what is drawn, in their order, of a category of five: a banner's (the minimal context), an alert's.
  var banner: [String]
  var alert: [String]
  /// Whether it keeps the order that it was sent.
  var keepsOrder = true
  /// What its own menu offers of these, where it has a menu.
  var bannerMenu: [String] = []
  var alertMenu: [String] = []
  var drawing = Feature.there
  /// That a text is shown as it was written, whatever is in it.
  var text = Feature.there
  /// That all five actions can be chosen.
  var reaching = Feature.there
  /// A click on the notification itself.
  var opening = Feature.there
  /// Whether a click there, where a category has several actions, asks which.
  var openingAsks = false
  /// Whether an alert asks at once which action it shall be.
  var asksAtOnce = false
  var dismissal = Feature.there
  /// What it calls that.
  var dismissalReason = "dismissed"
  /// That what has a time goes when it is over.
  var expiry = Feature.there
  /// Whether it tells of that.
  var tellsOfExpiry = true
  /// That an alert stays.
  var staying = Feature.there
  /// Whether what is critical stays although it was given a time.
  var criticalStays = false
  var critical = Feature.there
  /// Whether what has been answered leaves the screen at once.
  var clearsAtOnce = true
  /// Whether anything tells what stands on a popup.
  var tellsTitles = true
  /// Whether it shows one after the other.
  var showsOne = false
  var replacement = Feature.there
  /// Whether it draws a line of its own to type a reply in; else Suzu asks for it.
  var drawsReply = false
  var reply = Feature.there
  var restart = Feature.there
  var burst = Feature.there
  /// That what it has no room for is shown later.
  var crowd = Feature.there
  /// Clicks on what has left the screen.
  var history = Feature.absent("There is no list of what has left the screen from which an action could be chosen")
}
