// SPDX-License-Identifier: Apache-2.0
// timer N: sets a CLOCK_REALTIME timerfd to each of the next N seconds and measures how late it expires. The dates are
// half a second off, so that it can run beside `center late`. Prints `timer_us 61.0`, the median.

#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "measure.h"

int main(int argc, char **argv) {
  size_t count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
  double *late = calloc(count + 1, sizeof *late);
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
  if (count == 0 || late == NULL || timer < 0) fail("usage", "timer N");
  struct itimerspec date = {.it_value = {.tv_sec = time(NULL) + 1, .tv_nsec = 500000000}};
  for (size_t i = 0; i < count; i++) {
    uint64_t expiries;
    date.it_value.tv_sec++;
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &date, NULL) != 0 || read(timer, &expiries, 8) != 8) return 1;
    late[i] = microseconds_of(CLOCK_REALTIME) - (date.it_value.tv_sec * 1e6 + date.it_value.tv_nsec / 1e3);
  }
  printf("timer_us %.1f\n", median(late, count));
  return 0;
}
