// SPDX-License-Identifier: Apache-2.0

/// One import is enough: `import Suzu` also gives the vocabulary of requests and the calls of the center.
@_exported public import CenterClient
@_exported public import NotificationModel
