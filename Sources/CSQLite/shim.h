// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a macro with a cast to a function pointer, which Swift does not import.
static inline int sqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int sqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic, which Swift does not import. Off: closing leaves the -wal as it is.
static inline int sqlite_checkpoint_on_close(sqlite3 *connection, int is_on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !is_on, (int *)0);
}

// sqlite3_config is variadic as well. Off: SQLite counts no memory, which takes a lock for each allocation.
static inline int sqlite_count_memory(int is_on) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, is_on); }
