// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// URLs that a click may open, and many that it must not open, from any web page, mail or sandboxed app.
enum URLCorpus {
  /// With the text that the opener receives.
  static let allowed: [(url: String, target: String)] =
    unchanged.map { ($0, $0) } + [
      ("mailto:me@example.org?attach=/etc/passwd", "mailto:me@example.org"),
      ("mailto:me@example.org?subject=a&attachment=/etc/passwd&body=b", "mailto:me@example.org?subject=a&body=b"),
      ("mailto:me@example.org?Attach=x&CC=a@b.c", "mailto:me@example.org?CC=a@b.c"),
      ("mailto:?bcc=a@b.c&to=d@e.f&from=x&reply-to=y&in-reply-to=z", "mailto:?to=d@e.f"),
      ("mailto:me@example.org?%61ttach=/etc/passwd&%73ubject=x", "mailto:me@example.org"),
      ("mailto:me@example.org?attach", "mailto:me@example.org"), ("mailto:me@example.org?", "mailto:me@example.org"),
      ("mailto:me@example.org?&&subject=a&", "mailto:me@example.org?subject=a"),
      ("mailto:me@example.org#attach=x", "mailto:me@example.org"),
      ("mailto:a@b.c?subject=x,attachment=/etc/passwd", "mailto:a@b.c?subject=x%2Cattachment=/etc/passwd"),
      ("mailto:a@b.c?body='x',attachment='/etc/passwd'", "mailto:a@b.c?body=%27x%27%2Cattachment=%27/etc/passwd%27"),
      ("mailto:a@b.c?subject=a?attach=b", "mailto:a@b.c?subject=a?attach=b"),
    ]

  private static let unchanged = [
    "http://example.org", "https://example.org", "https://example.org/", "HTTPS://EXAMPLE.org/", "hTtP://a",
    "https://example.org:8443/a/b;c=d?e=f&g[]=1#h", "https://example.org/?a=b&c='$HOME'", "https://example.org/$(id)",
    "https://example.org/`".replacing("`", with: "%60"), "https://example.org/a%20b%0Ac?d=%F0%9F%94%94",
    "https://xn--bcher-kva.example/", "https://example.org./", "https://a_b.example.org/", "http://127.0.0.1:80",
    "http://[::1]/", "http://[2001:db8::1]:8080/a", "http://[::ffff:1.2.3.4]/", "http://localhost:8080",
    "https://example.org:/", "https://example.org?q", "https://example.org#f", "https://example.org/@me",
    "https://example.org/a:b@c", "https://example.org/?u=javascript:alert(1)", "https://example.org/-x",
    "https://e/%2F..",
    "https://example.org/..%2F%40evil.org%3A80%2F%23%0A%26x%3D1%20%C3%BC?q=Title", "https://1.example/",
    "mailto:me@example.org", "MailTo:me@example.org?subject=a%20b", "mailto:-h", "mailto:", "mailto:a@b.c,d@e.f",
    "mailto:?to=a@b.c&cc=d@e.f&subject=g&body=h", "mailto:a@b.c?body=a%0D%0Ab%09c", "mailto:a+b@c.d?Subject=It%27s",
    "tel:+49123", "tel:112", "TEL:+1-201-555-0123;ext=7", "sms:1", "sms:+49123?body=a", "xmpp:a@b",
    "xmpp:a@b/c?message;body=d", "xmpp://guest@example.com/support@example.com", "geo:1,2", "geo:48.2,16.3;u=40?z=3",
    "x-added:a", "X-Added://b/c", "x-tea:a", "x-tea://example.org/a?b#c", "x-tea:/a", "x-tea://user@host/a",
  ]

  /// With the reason for the refusal.
  static let refused: [(url: String, reason: String)] =
    [
      ("", "no URL"), (":", "no scheme"), ("a", "no scheme"), ("/etc/hosts", "no scheme"), ("//host/a", "no scheme"),
      ("//example.org", "no scheme"), ("../a", "no scheme"), ("?a:b", "no scheme"), ("#a:b", "no scheme"),
      ("-x", "no scheme"), ("--help", "no scheme"), ("--version", "no scheme"), ("-h:a", "no scheme"),
      ("-x:http://a", "no scheme"), ("--manual", "no scheme"), ("www.example.org", "no scheme"),
      ("1http://a", "no scheme"), ("+http:a", "no scheme"), ("ht_tp://a", "no scheme"), ("ht%74p://a", "no scheme"),
      ("%68ttp://a", "no scheme"), ("http%3A//a", "no scheme"), ("http", "no scheme"), ("https", "no scheme"),
      ("http/://a", "no scheme"), ("(http://a)", "no scheme"), ("'http://a'", "no scheme"), ("=http://a", "no scheme"),
      ("$(id)", "no scheme"), ("a/b:c", "no scheme"), ("tea.desktop", "no scheme"), ("./tea.desktop", "no scheme"),
      ("~/tea.desktop", "no scheme"), (".:a", "no scheme"), ("@http://a", "no scheme"),
      ("http:", "no host"), ("http:a", "no host"), ("http:/a", "no host"), ("http://", "no host"),
      ("http:///a", "no host"), ("https:?a", "no host"), ("https:#a", "no host"), ("https://?a", "no host"),
      ("https://:80/", "no host"), ("https:////a", "no host"), ("http:a@b", "no host"),
      ("http://user@example.org", "credentials in the URL"),
      ("http://user:pass@example.org/", "credentials in the URL"),
      ("https://example.com@evil.example/", "credentials in the URL"),
      ("https://@example.org", "credentials in the URL"),
      ("https://a%40b@c", "credentials in the URL"), ("https://:@c", "credentials in the URL"),
      ("https://example.com:80@evil.example", "credentials in the URL"), ("https://@/", "no host"),
      ("x-tea://user:secret@host/", "credentials in the URL"), ("xmpp://a:b@c", "credentials in the URL"),
      ("https://a@b@c", "invalid host"), ("https://-x", "invalid host"),
      ("https://-oProxyCommand=id", "invalid host"),
      ("https://exa%6Dple.org/", "invalid host"), ("https://example.org%2Fa", "invalid host"),
      ("https://a..b/", "invalid host"), ("https://.a/", "invalid host"), ("https://./", "invalid host"),
      ("https://a,b/", "invalid host"), ("https://a;b", "invalid host"), ("https://a&b", "invalid host"),
      ("https://$(id)/", "invalid host"), ("https://a!b/", "invalid host"), ("https://a:x/", "invalid host"),
      ("https://a:99999/", "invalid host"), ("https://a:-1/", "invalid host"), ("https://a:+1/", "invalid host"),
      ("https://a:1:2/", "invalid host"), ("https://[::1/", "invalid host"), ("https://::1]/", "invalid host"),
      ("https://[::1]a/", "invalid host"), ("https://[fe80::1%25eth0]/", "invalid host"),
      ("https://[a]b]/", "invalid host"), ("https://[x]/", "invalid host"), ("https://a[b]/", "invalid host"),
      ("https://\(String(repeating: "a", count: 255))/", "invalid host"), ("https://a*/", "invalid host"),
      ("x-tea://-oProxyCommand=id/", "invalid host"), ("x-tea://%2DoProxy/", "invalid host"),
      ("x-tea://-a@b/", "invalid host"), ("x-tea://%2da@b/", "invalid host"),
      ("https://a/[b]", "an invalid character"), ("https://a/\\b", "an invalid character"),
      ("https:\\\\a", "an invalid character"), ("https://a\\@b/", "an invalid character"),
      ("https://a/\"b", "an invalid character"), ("https://a/<b>", "an invalid character"),
      ("https://a/^", "an invalid character"), ("https://a/`id`", "an invalid character"),
      ("https://a/{b}", "an invalid character"), ("https://a/|b", "an invalid character"),
      ("https://bücher.example/", "an invalid character"), ("https://a/ü", "an invalid character"),
      ("https://exаmple.org/", "an invalid character"), ("https://example。org/", "an invalid character"),
      ("https://example.org\u{2044}a.evil/", "an invalid character"),
      ("https://a/\u{202E}txt.exe", "an invalid character"), ("https\u{FF1A}//a", "an invalid character"),
      ("hттps://a", "an invalid character"), ("ht\u{301}tp://a", "an invalid character"),
      ("jav\u{AD}ascript:a", "an invalid character"), ("javaſcript:a", "an invalid character"),
      ("\u{FEFF}javascript:a", "an invalid character"), ("java\u{200B}script:a", "an invalid character"),
      ("http\u{37E}://a", "an invalid character"), ("https://a/\u{85}", "an invalid character"),
      ("ｊavascript:alert(1)", "an invalid character"),
      ("K:a".replacing("K", with: "\u{212A}"), "an invalid character"),
      ("https://a/%", "an invalid percent code"), ("https://a/%2", "an invalid percent code"),
      ("https://a/%zz", "an invalid percent code"), ("https://a/%%41", "an invalid percent code"),
      ("https://a/%u0041", "an invalid percent code"), ("https://a/%+1", "an invalid percent code"),
      ("https://a/%00", "a null character"), ("https://a/b%00.txt", "a null character"),
      ("%00javascript:a", "a null character"),
      ("mailto:a@b.c?body=%00", "a null character"), ("x-tea:%00", "a null character"),
      ("https://a/#b#c", "two fragments"),
      ("https://a/" + String(repeating: "a", count: 2039), "a URL of more than 2048 bytes"),
      (String(repeating: "a", count: 1 << 20), "a URL of more than 2048 bytes"),
      ("x-tea:", "nothing after the scheme"), ("tel:", "nothing after the scheme"),
      ("x-tea://", "nothing after the scheme"), ("geo:///", "nothing after the scheme"),
      ("mailto://a@b.c", "a host in a mail address"), ("mailto:a%0Ab@c.d", "a line break in a mail address"),
      ("mailto:a@b.c%0D%0ABcc:x@y.z", "a line break in a mail address"),
      ("mailto:a@b.c?cc=%0Ax", "a line break in a mail address"),
      ("mailto:a@b.c?to=%7F", "a line break in a mail address"),
      ("mailto:a@b.c?subject=a%0ABcc:x@y.z", "a line break in a subject"),
      ("mailto:a@b.c?subject=%0d%0a", "a line break in a subject"),
      ("mailto:a@b.c?SUBJECT=%1b", "a line break in a subject"),
      ("mailto:a@b.c?body=%1B[2J".replacing("[", with: "%5B"), "a control character in a mail"),
      ("mailto:a'@b.c", "a quote in a mail address"),
      ("mailto:x%27,attachment=%27/etc/passwd", "a quote in a mail address"),
      ("mailto:a%5Cx27@b.c", "a quote in a mail address"), ("mailto:a@b.c?cc=%27", "a quote in a mail address"),
      ("x-own:a", "scheme 'x-own'"), ("httpss://a", "scheme 'httpss'"), ("x:y", "scheme 'x'"), ("c:/a", "scheme 'c'"),
      ("ms-excel:ofv|u|a".replacing("|", with: "-"), "scheme 'ms-excel'"), ("http+x://a", "scheme 'http+x'"),
      ("file:a", "scheme 'file'"), ("file:/etc/passwd", "scheme 'file'"), ("file:///etc/passwd", "scheme 'file'"),
      ("FILE:///etc/passwd", "scheme 'file'"), ("File://localhost/etc/passwd", "scheme 'file'"),
      ("javascript:alert(1)", "scheme 'javascript'"), ("JavaScript:alert(1)", "scheme 'javascript'"),
      ("javascript://example.org/%0Aalert(1)", "scheme 'javascript'"), ("jAvAsCrIpT:http://a", "scheme 'javascript'"),
      ("javascript:%61lert(1)", "scheme 'javascript'"), ("data:text/html,a", "scheme 'data'"),
      ("data:text/html;base64,PHNjcmlwdD4=", "scheme 'data'"), ("view-source:https://a", "scheme 'view-source'"),
      ("feed:javascript:alert(1)", "scheme 'feed'"), ("jar:https://a!/b", "scheme 'jar'"),
      ("blob:https://a/b", "scheme 'blob'"), ("about:config", "scheme 'about'"), ("vbscript:a", "scheme 'vbscript'"),
      ("ssh://-oProxyCommand=id/", "scheme 'ssh'"), ("smb://host/share/tea.desktop", "scheme 'smb'"),
      ("my-very-secret-token-which-is-0123456789:a", "an unknown scheme"),
    ] + made

  /// Schemes that are always forbidden, in any case; remote folders; and every control character at every position.
  private static var made: [(url: String, reason: String)] {
    let forbidden = URLPolicy.forbiddenSchemes.sorted()
    let remote = URLPolicy.remoteSchemes.sorted()
    var made = forbidden.map { ("\($0):a", "scheme '\($0)'") } + remote.map { ("\($0)://a/b", "scheme '\($0)'") }
    made += forbidden.map { ($0.prefix(1).uppercased() + $0.dropFirst() + "://a", "scheme '\($0)'") }
    for byte in Array(UInt8(1)...0x20) + [0x7F] {
      let control = String(Unicode.Scalar(byte))
      for url in [control + "https://a", "java\(control)script:a", "https://a/\(control)--help", "https://a" + control]
      {
        made.append((url, "a blank or control character"))
      }
    }
    return made + [("https://a/\0", "a blank or control character")]
  }

  /// The user adds one scheme; an application declares one, and all that are forbidden or reserved for the user.
  static let policy = URLPolicy(added: ["X-Added"]) {
    URLPolicy.forbiddenSchemes.union(URLPolicy.remoteSchemes).union(["x-tea"])
  }
}
