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
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static posix_spawn_file_actions_t silence;

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
