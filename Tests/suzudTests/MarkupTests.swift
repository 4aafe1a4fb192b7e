// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationXML
import Testing

@testable import suzud

/// Tests which markup in a body is kept.
struct MarkupTests {
  @Test(arguments: [
    ("<b>Tea</b> is <i>ready</i>", "<b>Tea</b> is <i>ready</i>", "Tea is ready"),
    ("<B>Tea</B>", "<b>Tea</b>", "Tea"),
    ("R&D", "R&amp;D", "R&D"), ("R&amp;D &lt;b&gt;", "R&amp;D &lt;b&gt;", "R&D <b>"),
    ("1 < 2 > 0", "1 &lt; 2 &gt; 0", "1 < 2 > 0"), ("a<b", "a&lt;b", "a<b"),
    ("&#65;&#x42;&unknown;&#0;&#xD800;", "AB&amp;unknown;&amp;#xD800;", "AB&unknown;\0&#xD800;"),
    // Links and pictures: nothing is fetched, and no link remains.
    (#"<a href="https://example.org/?a=1&b=2">there</a>"#, "there", "there"),
    (#"<img src="http://127.0.0.1/x" alt="a>b"/>x"#, "x", "x"),
    ("<script>x</script>", "x", "x"), ("<span foreground='red'>x</span>", "x", "x"),
    // Unbalanced markup is balanced.
    ("<b>a", "<b>a</b>", "a"), ("a</b>", "a", "a"), ("<b><i>a</b>b</i>", "<b><i>a</i></b>b", "ab"),
    ("<b", "&lt;b", "<b"), ("<b a='", "&lt;b a='", "<b a='"), ("line<br/>line", "line\nline", "line\nline"),
    ("<b>\u{202e}a</b>", "<b>a</b>", "\u{202e}a"),
  ])
  func `Known markup is written anew, and everything else becomes text`(source: String, markup: String, plain: String) {
    #expect(Markup(source).escaped == markup)
    #expect(Markup(source).plain == plain)
  }

  @Test func `Any input gives bounded, well-formed XML`() throws {
    var random = SystemRandomNumberGenerator()
    let parts = [
      "<b>", "</b>", "<i>", "</i>", "<u", ">", "&", "&amp;", "&#", ";", "<a href='", "'", "\"", "x", "\u{1}", "<br>",
      "</", "/>",
    ]
    for _ in 0..<3000 {
      let source = (0..<Int.random(in: 0...30, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      let document = try? XMLDocument(xmlString: "<x>" + Markup(source).escaped + "</x>")
      #expect(document != nil, "\(source) -> \(Markup(source).escaped)")
    }
    let long = Markup(String(repeating: "<b>&", count: 100_000)).escaped
    #expect(long.utf8.count < 100_000)
  }
}
