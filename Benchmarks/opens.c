// SPDX-License-Identifier: Apache-2.0
// opens N INPUT OURS… -- PEER…: starts the two programs alternately, N times each, with the file INPUT as their standard
// input, from spawn until the first window of the program is on the X screen of $DISPLAY, which has no other programs;
// then ends it. Prints medians and the median of the N ratios, like pairs.c.

#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static Display *screen;
static const char *input;

// The windows that toolkits use for messages are never mapped, or have a few pixels.
static bool is_shown(Window window) {
  XWindowAttributes attributes;
  return XGetWindowAttributes(screen, window, &attributes) && attributes.map_state == IsViewable &&
         attributes.width > 100 && attributes.height > 60;
}

static int no_matter(Display *display, XErrorEvent *error) {
  (void)display, (void)error;
  return 0;  // a window that was destroyed meanwhile
}

static void wait_for_window(const char *program) {
  double end = microseconds() + 20e6;
  for (;;) {
    while (XPending(screen)) {
      XEvent event;
      XNextEvent(screen, &event);
      if (event.type == MapNotify && is_shown(event.xmap.window)) return;
    }
    struct pollfd wait = {.fd = ConnectionNumber(screen), .events = POLLIN};
    if (microseconds() > end || poll(&wait, 1, 20000) == 0) fail(program, "shows no window");
  }
}

static double open_one(char **command) {
  pid_t child;
  int status;
  posix_spawn_file_actions_t files;
  if (posix_spawn_file_actions_init(&files) != 0 ||
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0) != 0 ||
      posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
      posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0) {
    fail("opens", "out of memory");
  }
  double began = microseconds();
  int failed = posix_spawnp(&child, command[0], &files, NULL, command, environ);
  if (failed != 0) fail(command[0], strerror(failed));
  wait_for_window(command[0]);
  double took = microseconds() - began;
  kill(child, SIGTERM);
  if (waitpid(child, &status, 0) != child) fail(command[0], "lost");
  posix_spawn_file_actions_destroy(&files);
  // What its windows left behind.
  XSync(screen, True);
  return took;
}

int main(int argc, char **argv) {
  size_t count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
  int split = 3;
  while (split < argc && strcmp(argv[split], "--") != 0) split++;
  if (count == 0 || split == 3 || split + 1 >= argc) fail("usage", "opens N INPUT OURS... -- PEER...");
  input = argv[2];
  char **ours = argv + 3, **peer = argv + split + 1;
  argv[split] = NULL;
  screen = XOpenDisplay(NULL);
  if (screen == NULL) fail("screen", "there is none");
  XSetErrorHandler(no_matter);
  XSelectInput(screen, DefaultRootWindow(screen), SubstructureNotifyMask);
  XSync(screen, False);

  double *ours_us = calloc(count, sizeof *ours_us), *peer_us = calloc(count, sizeof *peer_us);
  double *ratio = calloc(count, sizeof *ratio);
  if (ours_us == NULL || peer_us == NULL || ratio == NULL) fail("opens", "out of memory");
  // A warm-up for each: the first start reads the programs from disk.
  open_one(ours);
  open_one(peer);
  for (size_t i = 0; i < count; i++) {
    ours_us[i] = open_one(ours);
    peer_us[i] = open_one(peer);
    ratio[i] = ours_us[i] / peer_us[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(ours_us, count), median(peer_us, count));
  printf("ratio %.2f\n", median(ratio, count));
  return EXIT_SUCCESS;
}
