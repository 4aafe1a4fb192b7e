// SPDX-License-Identifier: Apache-2.0

// Apple's module hands on these, so programs import nothing else.
@_exported public import Foundation
@_exported public import UserNotifications
