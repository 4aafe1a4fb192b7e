// SPDX-License-Identifier: Apache-2.0
// Runs the C of Sources/C… on the machine that it was compiled for, for Scripts/try-arm64. Prints what failed.
#if defined(WITH_ADWAITA)
#include "CAdwaita/shim.h"
#endif
#include "CChecksum/shim.h"
#include "CCrypto/shim.h"
#include "CCurl/shim.h"
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

static size_t write_to_text(char *bytes, size_t size, size_t count, void *owner) {
  strncat(owner, bytes, size * count);
  return size * count;
}

static int observe(CURL *transfer, curl_socket_t socket, int interest, void *owner, void *unused) { return 0; }

static int set_timer(CURLM *transfers, long milliseconds, void *owner) {
  *(long *)owner = milliseconds;
  return 0;
}

static void transfers(void) {
  char text[64] = "";
  long wait = -1, version = -1;
  curl_off_t size = 0;
  curl_socket_t socket = 0;
  int running = 1;
  CURLcode code = CURLE_FAILED_INIT;
  FILE *file = fopen("/tmp/tea", "w");
  expect(file && fputs("tea", file) >= 0 && fclose(file) == 0, "a file");
  expect(curl_begin() == CURLE_OK, "libcurl");
  CURL *transfer = curl_easy_init();
  CURLM *all = curl_multi_init();
  expect(curl_set_text(transfer, CURLOPT_URL, "file:///tmp/tea") == CURLE_OK, "an option that is a text");
  expect(curl_set_number(transfer, CURLOPT_NOPROGRESS, 1) == CURLE_OK, "an option that is a number");
  expect(curl_set_list(transfer, CURLOPT_HTTPHEADER, NULL) == CURLE_OK, "an option that is a list");
  expect(curl_set_writer(transfer, write_to_text, text) == CURLE_OK, "a function that takes bytes");
  expect(curl_set_socket_observer(all, observe, NULL) == CURLM_OK, "an observer of sockets");
  expect(curl_set_timer(all, set_timer, &wait) == CURLM_OK, "a timer");
  expect(curl_multi_add_handle(all, transfer) == CURLM_OK && wait >= 0, "a transfer asks for the timer");
  expect(curl_multi_socket_action(all, CURL_SOCKET_TIMEOUT, 0, &running) == CURLM_OK && !running, "it has ended");
  expect(curl_next_ended(all, &code) == transfer && code == CURLE_OK, "it has ended well");
  expect(strcmp(text, "tea") == 0, "its bytes");
  expect(curl_get_number(transfer, CURLINFO_RESPONSE_CODE, &version) == CURLE_OK && version == 0, "a number of it");
  expect(curl_get_offset(transfer, CURLINFO_SIZE_DOWNLOAD_T, &size) == CURLE_OK && size == 3, "its size");
  expect(curl_get_socket(transfer, &socket) == CURLE_OK && socket == CURL_SOCKET_BAD, "it has no socket");
  expect(curl_write_pause == CURL_WRITEFUNC_PAUSE, "a constant");
  curl_multi_remove_handle(all, transfer);
  curl_easy_cleanup(transfer);
  curl_multi_cleanup(all);
}

static void ciphers(void) {
  uint8_t one[crypto_scalar_size] = {0}, two[crypto_scalar_size] = {0}, none[crypto_scalar_size] = {0};
  uint8_t first[crypto_point_size], second[crypto_point_size], unused[crypto_point_size];
  uint8_t here[crypto_hash_size], there[crypto_hash_size], hash[crypto_hash_size], text[16];
  one[crypto_scalar_size - 1] = 1;
  two[crypto_scalar_size - 1] = 2;
  // The generator of P-256.
  expect(crypto_public_key(one, first) && memcmp(first, "\x04\x6b\x17\xd1\xf2\xe1\x2c\x42\x47", 9) == 0, "a key");
  expect(crypto_public_key(two, second), "another key");
  expect(!crypto_public_key(none, unused), "zero is no key");
  expect(crypto_agree(one, first, second, here) && crypto_agree(two, second, first, there), "two secrets");
  expect(memcmp(here, there, sizeof here) == 0 && memcmp(here, second + 1, sizeof here) == 0, "the same secret");
  // RFC 4231, test case 2.
  const char *words = "what do ya want for nothing?";
  expect(crypto_hmac((const uint8_t *)"Jefe", 4, (const uint8_t *)words, strlen(words), hash), "a hash");
  expect(memcmp(hash, "\x5b\xdc\xc1\x46\xbf\x60\x75\x4e\x6a\x04\x24\x26\x08\x95\x75\xc7", 16) == 0, "its beginning");
  // Test case 2 of the specification of GCM: all zeros.
  uint8_t sealed[33] =
      "\x03\x88\xda\xce\x60\xb6\xa3\x92\xf3\x28\xc2\xb9\x71\xb2\xfe\x78"
      "\xab\x6e\x47\xd4\x2c\xec\x13\xbd\xf5\x3a\x67\xb2\x12\x57\xbd\xdf";
  expect(crypto_open(none, none, sealed, 32, text) && memcmp(text, none, sizeof text) == 0, "an opened text");
  sealed[0] ^= 1;
  expect(!crypto_open(none, none, sealed, 32, text), "a changed text is refused");
}

#if defined(WITH_ADWAITA)
static void count_rows(gpointer box, guint position) { *(guint *)box += position + 1; }
static void forget(gpointer box) { *(guint *)box += 100; }

// Without a screen: the model of a list, and its signal.
static void windows(void) {
  guint count = 0;
  GtkStringList *rows = window_make_rows();
  window_connect_number(rows, "items-changed", count_rows, &count, forget);
  window_splice_rows(rows, 0, 0, 3);
  window_splice_rows(rows, 1, 1, 2);
  expect(g_list_model_get_n_items(G_LIST_MODEL(rows)) == 4, "rows");
  g_object_unref(rows);
  expect(count == 1 + 2 + 100, "its signals, and the end of the connection");
  expect(window_no_position == GTK_INVALID_LIST_POSITION && window_stop, "constants");
}
#endif

int main(void) {
  checksums();
  messages();
  stores();
  programs();
  transfers();
  ciphers();
#if defined(WITH_ADWAITA)
  windows();
  const char *modules = "all eight modules";
#else
  const char *modules = "seven of the eight modules";
#endif
  if (failures == 0) printf("the C of %s works\n", modules);
  return failures != 0;
}
