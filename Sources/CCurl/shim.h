// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <curl/curl.h>

// The functions that set options are variadic, which Swift does not import: one for each type of value.
static inline CURLcode curl_set_number(CURL *transfer, CURLoption option, long number) {
  return curl_easy_setopt(transfer, option, number);
}
static inline CURLcode curl_set_text(CURL *transfer, CURLoption option, const char *text) {
  return curl_easy_setopt(transfer, option, text);
}
static inline CURLcode curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(transfer, option, list);
}
static inline CURLcode curl_set_writer(
    CURL *transfer, size_t (*write)(char *bytes, size_t size, size_t count, void *owner), void *owner) {
  CURLcode code = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, write);
  return code == CURLE_OK ? curl_easy_setopt(transfer, CURLOPT_WRITEDATA, owner) : code;
}
static inline CURLcode curl_get_number(CURL *transfer, CURLINFO information, long *number) {
  return curl_easy_getinfo(transfer, information, number);
}
static inline CURLcode curl_get_offset(CURL *transfer, CURLINFO information, curl_off_t *number) {
  return curl_easy_getinfo(transfer, information, number);
}
static inline CURLcode curl_get_socket(CURL *transfer, curl_socket_t *socket) {
  return curl_easy_getinfo(transfer, CURLINFO_ACTIVESOCKET, socket);
}

static inline CURLMcode curl_set_socket_observer(
    CURLM *transfers, int (*observe)(CURL *transfer, curl_socket_t socket, int interest, void *owner, void *unused),
    void *owner) {
  CURLMcode code = curl_multi_setopt(transfers, CURLMOPT_SOCKETFUNCTION, observe);
  return code == CURLM_OK ? curl_multi_setopt(transfers, CURLMOPT_SOCKETDATA, owner) : code;
}
static inline CURLMcode curl_set_timer(
    CURLM *transfers, int (*set)(CURLM *transfers, long milliseconds, void *owner), void *owner) {
  CURLMcode code = curl_multi_setopt(transfers, CURLMOPT_TIMERFUNCTION, set);
  return code == CURLM_OK ? curl_multi_setopt(transfers, CURLMOPT_TIMERDATA, owner) : code;
}

// The initialisation of all parts, which is a macro with a shift.
static inline CURLcode curl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
// The next transfer that has ended, or NULL.
static inline CURL *curl_next_ended(CURLM *transfers, CURLcode *code) {
  int rest;
  for (CURLMsg *message; (message = curl_multi_info_read(transfers, &rest));) {
    if (message->msg == CURLMSG_DONE) {
      *code = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
static const size_t curl_write_pause = CURL_WRITEFUNC_PAUSE;
