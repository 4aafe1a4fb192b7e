// SPDX-License-Identifier: Apache-2.0

// Apple's module hands on all of Foundation, so programs import nothing else.
@_exported public import Foundation
