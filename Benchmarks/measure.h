// SPDX-License-Identifier: Apache-2.0
// Shared by the C programs that measure. Every error ends the program, because its measurements would be meaningless.

#ifndef SUZU_BENCH_MEASURE_H
#define SUZU_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void fail(const char *what, const char *why) {
  fprintf(stderr, "bench: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

// The time of a clock in microseconds.
static inline double microseconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static inline double microseconds(void) { return microseconds_of(CLOCK_MONOTONIC); }

static inline int compare_numbers(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

static inline double median(double *values, size_t count) {
  if (count == 0) fail("median", "of nothing");
  qsort(values, count, sizeof values[0], compare_numbers);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

// Prints `MODE_us 61.2`, the median of several rounds of COUNT, after a warm-up.
static inline void print_rounds(const char *mode, unsigned count, void (*round)(unsigned count)) {
  enum { rounds = 5 };
  double round_us[rounds];
  for (int i = -1; i < rounds; i++) {
    double began = microseconds();
    round(count);
    if (i >= 0) round_us[i] = (microseconds() - began) / count;
  }
  printf("%s_us %.1f\n", mode, median(round_us, rounds));
}

#endif
