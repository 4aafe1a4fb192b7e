// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Testing
