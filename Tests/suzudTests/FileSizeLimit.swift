// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Limits the size of the files that this process writes: 0 is a disk that fails, `.max` one that works again. For tests
/// in a process of their own.
func letFilesGrow(to size: rlim_t) {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  limit.rlim_cur = min(size, limit.rlim_max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}
