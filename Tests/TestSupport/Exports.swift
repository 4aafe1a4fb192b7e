// SPDX-License-Identifier: Apache-2.0

/// The parts that other people's tests use as well: buses, servers, clocks.
@_exported public import TestStage
