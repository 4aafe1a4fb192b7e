// SPDX-License-Identifier: Apache-2.0
// The steps of RFC 8291 that need libcrypto. Each handle lives in one function: its functions take and release several at
// a time, and options of macros, which Swift does not import. Each returns whether it worked.
#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <stddef.h>
#include <stdint.h>

enum { crypto_scalar_size = 32, crypto_point_size = 65, crypto_hash_size = 32, crypto_tag_size = 16 };

// The public key of P-256, uncompressed, of a private one; false for 0 and for what is not below the order of the curve.
static inline _Bool crypto_public_key(const uint8_t *scalar, uint8_t *point) {
  _Bool works = 0;
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  EC_POINT *product = group ? EC_POINT_new(group) : NULL;
  BIGNUM *number = BN_secure_new();
  if (product && number && BN_bin2bn(scalar, crypto_scalar_size, number)) {
    BN_set_flags(number, BN_FLG_CONSTTIME);
    works = !BN_is_zero(number) && BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
        EC_POINT_mul(group, product, number, NULL, NULL, NULL) == 1 &&
        EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, point, crypto_point_size, NULL) ==
            crypto_point_size;
  }
  BN_clear_free(number);
  EC_POINT_free(product);
  EC_GROUP_free(group);
  return works;
}

// A key of P-256; without a scalar, a public one. NULL if the point is not on the curve.
static inline EVP_PKEY *crypto_key(const uint8_t *scalar, const uint8_t *point) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  BIGNUM *number = scalar ? BN_secure_new() : NULL;
  OSSL_PARAM *parameters = NULL;
  _Bool built = context && builder &&
      OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, crypto_point_size) == 1;
  if (scalar) {
    built = built && number && BN_bin2bn(scalar, crypto_scalar_size, number) &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1;
  }
  if (built && (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1 &&
      EVP_PKEY_fromdata(context, &key, scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
    key = NULL;
  }
  OSSL_PARAM_free(parameters);
  BN_clear_free(number);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  return key;
}

// The secret that a key pair and another's public key have in common.
static inline _Bool crypto_agree(
    const uint8_t *scalar, const uint8_t *point, const uint8_t *other, uint8_t *secret) {
  _Bool works = 0;
  EVP_PKEY *own = crypto_key(scalar, point), *peer = crypto_key(NULL, other);
  EVP_PKEY_CTX *context = own && peer ? EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL) : NULL;
  size_t size = crypto_hash_size;
  if (context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, peer) == 1) {
    works = EVP_PKEY_derive(context, secret, &size) == 1 && size == crypto_hash_size;
  }
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(peer);
  EVP_PKEY_free(own);
  return works;
}

static inline _Bool crypto_hmac(
    const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t size, uint8_t *hash) {
  unsigned int length = 0;
  return HMAC(EVP_sha256(), key, (int)key_size, bytes, size, hash, &length) && length == crypto_hash_size;
}

// Decrypts AES-128-GCM, and checks the tag at the end of `bytes`. `text` has room for the rest.
static inline _Bool crypto_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *bytes, size_t size, uint8_t *text) {
  if (size < crypto_tag_size || size > 1 << 20) return 0;
  int count = 0, more = 0, body = (int)(size - crypto_tag_size);
  uint8_t tag[crypto_tag_size];
  for (int i = 0; i < crypto_tag_size; i++) tag[i] = bytes[body + i];
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  _Bool works = context && EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
      EVP_DecryptUpdate(context, text, &count, bytes, body) == 1 && count == body &&
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, crypto_tag_size, tag) == 1 &&
      EVP_DecryptFinal_ex(context, text + count, &more) == 1 && more == 0;
  EVP_CIPHER_CTX_free(context);
  return works;
}
