/** A parsed password hash. Argon2 and bcrypt hashes stay encoded, because the libraries parse the encoding. */
export type StoredHash =
  | { readonly scheme: "argon2" | "bcrypt"; readonly encoded: string }
  | {
      readonly scheme: "scrypt";
      /** RFC 7914: N, r and p. */
      readonly cost: number;
      readonly blockSize: number;
      readonly parallelization: number;
      readonly salt: Uint8Array;
      readonly key: Uint8Array;
    }
  | {
      readonly scheme: "pbkdf2";
      readonly digest: "sha1" | "sha256" | "sha512";
      readonly iterations: number;
      readonly salt: Uint8Array;
      readonly key: Uint8Array;
    };
