// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel

/// `suzu doctor --ssh`: the lines that carry the socket at home to another machine.
struct SSHLines {
  private let host: RemoteHost
  private let local: String
  private let user: UInt32

  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.refuseWords(after: 1)
    host = try RemoteCommand.host(arguments.words.first ?? "build")
    local = HomeSocket.path(for: host.name)
    user = getuid()
  }

  init(host: RemoteHost, local: String, user: UInt32) {
    (self.host, self.local, self.user) = (host, local, user)
  }

  private var remote: String { "/run/user/\(user)/\(HomeSocket.name)" }

  var text: String {
    """
    # 1. On this machine, let '\(host.name)' notify you, for as long as this runs:
    suzu remote serve \(host.name)

    # 2. Log in with the socket:
    ssh -R \(remote):\(local) \(host.name)

    #    or, in ~/.ssh/config, for every login:
    Host \(host.name)
      RemoteForward \(remote) \(local)

    # \(user) is your number on that machine; 'id -u' prints it there. Without /run/user there, use
    # a path that ends with /.\(HomeSocket.name) in your home folder. A socket that an earlier login left is
    # in the way unless /etc/ssh/sshd_config there has: StreamLocalBindUnlink yes
    """
  }
}
