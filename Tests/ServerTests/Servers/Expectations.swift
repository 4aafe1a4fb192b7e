// SPDX-License-Identifier: Apache-2.0

/// The expected behavior of a server. Deviations have a reason, which the report prints below its table.
struct Expectations: Sendable {
  /// Whether a feature exists.
  enum Feature: Sendable {
    case there
    /// It exists, with a remark.
    case noted(String)
    /// The server lacks it, for this reason.
    case absent(String)
  }

  /// The drawn labels, in order, for a category of five actions: on a banner (the minimal context) and on an alert.
  var banner: [String]
  var alert: [String]
  /// Whether the actions keep their order.
  var keepsOrder = true
  /// The entries of the server's own menu, if it has one.
  var bannerMenu: [String] = []
  var alertMenu: [String] = []
  var drawing = Feature.there
  /// Texts are shown as written, with any characters.
  var text = Feature.there
  /// All five actions can be chosen.
  var reaching = Feature.there
  /// A click on the notification itself works.
  var opening = Feature.there
  /// An alert stays after a click on it that could mean any of its actions.
  var straying = Feature.there
  /// Whether the server closes every notification that is clicked, so that Suzu shows such an alert again.
  var closesOnClick = true
  /// Whether that click asks for an action if the category has several.
  var openingAsks = false
  /// Whether an alert asks for an action at once.
  var asksAtOnce = false
  var dismissal = Feature.there
  /// The time of notifications that expire, in which the server must draw them.
  var expires = "1s"
  /// A notification with a time expires.
  var expiry = Feature.there
  /// An alert stays.
  var staying = Feature.there
  /// So does a critical one.
  var critical = Feature.there
  /// Whether an answered notification disappears at once.
  var clearsAtOnce = true
  /// Whether the texts on a popup can be read.
  var tellsTitles = true
  /// Whether it shows one notification at a time.
  var showsOne = false
  var replacement = Feature.there
  /// Whether it draws its own reply field; otherwise Suzu asks.
  var drawsReply = false
  var reply = Feature.there
  var restart = Feature.there
  var burst = Feature.there
  /// Notifications beyond the server's room are shown later.
  var crowd = Feature.there
  /// Expired notifications can be clicked in a history.
  var history = Feature.absent("The server has no list of past notifications with actions to choose")
}
