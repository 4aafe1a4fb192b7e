// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dbus/dbus.h>

// How many bytes are in the array that the iterator was sent into. libdbus calls it deprecated, because it sees no use
// for the number; there is no other way to know how large a message is before it is taken apart.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline int bus_bytes_of_array(DBusMessageIter *iterator) { return dbus_message_iter_get_array_len(iterator); }
#pragma GCC diagnostic pop
