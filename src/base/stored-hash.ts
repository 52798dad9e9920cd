/** A stored hash, read as far as whoever verifies it needs. Argon2 and bcrypt are read by their libraries. */
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
