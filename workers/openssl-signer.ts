/**
 * RS256 by the OpenSSL of the machine (libcrypto 3), called through the foreign function interface of the runtime. A
 * key is parsed once, and one context makes every signature with the key (EVP_PKEY_sign(3): after the initialization
 * the call may be repeated with the parameters of the context). Every return code is checked, and a failed call leaves
 * an empty error queue, so no later call reports the failure.
 */
import { createHash } from "node:crypto";
import { type NativePointer, openLibrary } from "../src/base/runtime.ts";
import type { Signer, SignerFactory } from "./signer.ts";

/** The supported major version: the functions below have these signatures since 3.0. */
const OPENSSL_MAJOR = 3;
/** RSA_PKCS1_PADDING of openssl/rsa.h. */
const PKCS1_PADDING = 1;
const SHA256_BYTES = 32;
const SUCCESS = 1;

const SIGNATURES = {
  OPENSSL_version_major: [[], "i32"],
  ERR_clear_error: [[], "void"],
  BIO_new_mem_buf: [["buffer", "i32"], "pointer"],
  BIO_free: [["pointer"], "i32"],
  PEM_read_bio_PrivateKey: [["pointer", "pointer", "pointer", "pointer"], "pointer"],
  EVP_PKEY_free: [["pointer"], "void"],
  EVP_PKEY_get_size: [["pointer"], "i32"],
  EVP_PKEY_CTX_new: [["pointer", "pointer"], "pointer"],
  EVP_PKEY_CTX_free: [["pointer"], "void"],
  EVP_PKEY_CTX_set_rsa_padding: [["pointer", "i32"], "i32"],
  EVP_PKEY_CTX_set_signature_md: [["pointer", "pointer"], "i32"],
  EVP_PKEY_sign_init: [["pointer"], "i32"],
  EVP_PKEY_sign: [["pointer", "buffer", "buffer", "buffer", "usize"], "i32"],
  EVP_sha256: [[], "pointer"],
} as const;

export type Libcrypto = Awaited<ReturnType<typeof openLibrary<typeof SIGNATURES>>>;

/** Throws if the file is no library with these functions. `file`: a name that the linker finds, or a path. */
export async function openLibcrypto(file: string): Promise<Libcrypto> {
  return await openLibrary(file, SIGNATURES);
}

/** Throws for an unsupported version. */
export function opensslSigner(libcrypto: Libcrypto): SignerFactory {
  const major = libcrypto.OPENSSL_version_major();
  if (major !== OPENSSL_MAJOR) throw new Error(`OpenSSL ${major} is not supported`);
  return (privateKeyPem) => openKey(libcrypto, privateKeyPem);
}

function openKey(libcrypto: Libcrypto, privateKeyPem: string): Signer {
  const key = parseKey(libcrypto, privateKeyPem);
  const context = signingContext(libcrypto, key);
  const signature = Buffer.alloc(libcrypto.EVP_PKEY_get_size(key));
  const signatureBytes = new BigUint64Array(1);
  return {
    name: "openssl",
    sign(input) {
      const digest = createHash("sha256").update(input).digest();
      signatureBytes[0] = BigInt(signature.length);
      const result = libcrypto.EVP_PKEY_sign(context, signature, signatureBytes, digest, SHA256_BYTES);
      if (result !== SUCCESS) throw failure(libcrypto, "EVP_PKEY_sign");
      return signature.subarray(0, Number(signatureBytes[0]));
    },
    close() {
      libcrypto.EVP_PKEY_CTX_free(context);
      libcrypto.EVP_PKEY_free(key);
    },
  };
}

function parseKey(libcrypto: Libcrypto, privateKeyPem: string): NativePointer {
  const pem = Buffer.from(privateKeyPem);
  try {
    const bio = libcrypto.BIO_new_mem_buf(pem, pem.length);
    if (!bio) throw failure(libcrypto, "BIO_new_mem_buf");
    const key = libcrypto.PEM_read_bio_PrivateKey(bio, null, null, null);
    libcrypto.BIO_free(bio);
    if (!key) throw failure(libcrypto, "PEM_read_bio_PrivateKey");
    return key;
  } finally {
    // The BIO reads the buffer in place. The wipe of this copy also keeps the buffer alive until the key is read.
    pem.fill(0);
  }
}

/** Holds a reference to the key until the end of the context. Frees the key if there is no context. */
function signingContext(libcrypto: Libcrypto, key: NativePointer): NativePointer {
  const context = libcrypto.EVP_PKEY_CTX_new(key, null);
  const isReady =
    context !== null &&
    libcrypto.EVP_PKEY_sign_init(context) === SUCCESS &&
    libcrypto.EVP_PKEY_CTX_set_rsa_padding(context, PKCS1_PADDING) === SUCCESS &&
    libcrypto.EVP_PKEY_CTX_set_signature_md(context, libcrypto.EVP_sha256()) === SUCCESS;
  if (context !== null && isReady) return context;
  libcrypto.EVP_PKEY_CTX_free(context);
  libcrypto.EVP_PKEY_free(key);
  throw failure(libcrypto, "EVP_PKEY_sign_init");
}

/** Empties the error queue of the thread. Its entries can describe the key, so the message has the function only. */
function failure(libcrypto: Libcrypto, name: string): Error {
  libcrypto.ERR_clear_error();
  return new Error(`${name} failed`);
}
