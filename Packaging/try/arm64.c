// SPDX-License-Identifier: Apache-2.0
// Runs the C of Sources/C… on the machine that it was compiled for, for Scripts/try-arm64. Prints what failed.
#include "CChecksum/shim.h"
#include "CDBus/shim.h"
#include "CLinux/shim.h"
#include "CSQLite/shim.h"
#include "CTerminal/shim.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(_Bool is_true, const char *what) {
  if (!is_true) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

// The CRC-32 of zip, a bit at a time.
static uint32_t slow_checksum(uint32_t crc, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return crc;
}

static void checksums(void) {
  uint8_t bytes[1024];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7 + i / 256);
#if defined(__x86_64__)
  expect(checksum_can_fold(), "this processor multiplies without carries");
  expect(checksum_fold(~0u, bytes, sizeof bytes) == slow_checksum(~0u, bytes, sizeof bytes), "the folded checksum");
#else
  expect(!checksum_can_fold(), "only x86-64 folds; others use the tables in Swift");
  expect(checksum_fold(7, bytes, 0) == 7, "folding nothing");
#endif
  expect(~slow_checksum(~0u, (const uint8_t *)"123456789", 9) == 0xCBF43926, "the reference checksum");
}

static void messages(void) {
  DBusMessage *message = dbus_message_new_signal("/a", "a.b", "C");
  const dbus_uint32_t numbers[3] = {1, 2, 3}, *start = numbers;
  expect(
      dbus_message_append_args(message, DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &start, 3, DBUS_TYPE_INVALID), "an array");
  DBusMessageIter iterator, array;
  expect(dbus_message_iter_init(message, &iterator), "arguments");
  dbus_message_iter_recurse(&iterator, &array);
  expect(bus_bytes_of_array(&array) == 12, "the bytes of an array");
  dbus_message_unref(message);
}

static void stores(void) {
  sqlite3 *connection;
  sqlite3_stmt *statement;
  expect(sqlite3_open(":memory:", &connection) == SQLITE_OK, "a database");
  expect(sqlite_checkpoint_on_close(connection, 0) == SQLITE_OK, "no checkpoint on close");
  expect(sqlite3_prepare_v2(connection, "SELECT ?, ?", -1, &statement, NULL) == SQLITE_OK, "a statement");
  expect(sqlite_bind_text_copy(statement, 1, "tea", 3) == SQLITE_OK, "a text");
  expect(sqlite_bind_blob_copy(statement, 2, "\xff\x00", 2) == SQLITE_OK, "a blob");
  expect(sqlite3_step(statement) == SQLITE_ROW, "a row");
  expect(strcmp((const char *)sqlite3_column_text(statement, 0), "tea") == 0, "the text again");
  expect(sqlite3_column_bytes(statement, 1) == 2, "the blob again");
  sqlite3_finalize(statement);
  sqlite3_close(connection);
}

static void programs(void) {
  char *arguments[] = {"sh", "-c", "read -r line && [ \"$line\" = tea ] && exit 7", NULL}, *environment[] = {NULL};
  int ends[2], status = 0;
  pid_t child = 0;
  expect(pipe2(ends, O_CLOEXEC) == 0, "a pipe");
  struct rlimit limit = {256, 256};
  struct linux_start start = {
      .program = "/bin/sh", .arguments = arguments, .environment = environment, .folder = "/", .input = ends[0],
      .output = -1, .errors = -1, .descriptors = &limit,
  };
  expect(linux_start_program(&start, &child) == 0 && child > 0, "a program starts");
  expect(write(ends[1], "tea\n", 4) == 4, "its input");
  expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "its status");
  linux_name_this_thread("tea");
  char name[16] = "";
  expect(prctl(PR_GET_NAME, name, 0, 0, 0) == 0 && strcmp(name, "tea") == 0, "a thread's name");
  expect(linux_allow_inspection() == 0, "inspection");
  struct winsize size;
  expect(terminal_window_size(ends[0], &size) == -1 && errno == ENOTTY, "a pipe has no window");
}

int main(void) {
  checksums();
  messages();
  stores();
  programs();
  if (failures == 0) puts("the C of these five modules works");
  return failures != 0;
}
