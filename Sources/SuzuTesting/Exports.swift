// SPDX-License-Identifier: Apache-2.0

/// One import is enough: `import SuzuTesting` also gives the private bus and the scripted server.
@_exported public import TestStage
