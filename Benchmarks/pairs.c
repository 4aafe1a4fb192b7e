// SPDX-License-Identifier: Apache-2.0
// pairs N OURS… -- PEER…: runs the two commands alternately, N times each, from spawn to exit, with standard output
// discarded. Prints the medians and the median of the N ratios ours/peer:
//
//   ours_us 2310.5
//   peer_us 4108.2
//   ratio 0.56

#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static posix_spawn_file_actions_t silence;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "pairs: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static double run(char **command) {
  pid_t child;
  int status;
  double began = microseconds();
  int failed = posix_spawnp(&child, command[0], &silence, NULL, command, environ);
  if (failed != 0) fail(command[0], strerror(failed));
  if (waitpid(child, &status, 0) != child) fail(command[0], "lost");
  double took = microseconds() - began;
  if (status != 0) fail(command[0], "did not succeed");
  return took;
}

static int compare(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof values[0], compare);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(int argc, char **argv) {
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  int split = 2;
  while (split < argc && strcmp(argv[split], "--") != 0) split++;
  if (count == 0 || split == 2 || split + 1 >= argc) fail("usage", "pairs N OURS... -- PEER...");
  char **ours = argv + 2, **peer = argv + split + 1;
  argv[split] = NULL;

  double *ours_us = calloc(count, sizeof *ours_us), *peer_us = calloc(count, sizeof *peer_us);
  double *ratio = calloc(count, sizeof *ratio);
  if (ours_us == NULL || peer_us == NULL || ratio == NULL) fail("pairs", "out of memory");
  if (posix_spawn_file_actions_init(&silence) != 0 ||
      posix_spawn_file_actions_addopen(&silence, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0) {
    fail("pairs", "out of memory");
  }

  // A warm-up for each: the first start reads the programs from disk.
  run(ours);
  run(peer);
  for (size_t i = 0; i < count; i++) {
    ours_us[i] = run(ours);
    peer_us[i] = run(peer);
    ratio[i] = ours_us[i] / peer_us[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(ours_us, count), median(peer_us, count));
  printf("ratio %.2f\n", median(ratio, count));
  return EXIT_SUCCESS;
}
