/** Public keys that third parties present or publish (RFC 7517). */

/** The members of a public key (RFC 7517, section 4; RFC 7518, section 6; RFC 8037), and no certificate. */
const MEMBERS = ["kty", "crv", "x", "y", "n", "e", "kid", "alg", "use", "key_ops"] as const;
const NUMBERS = ["x", "y", "n", "e"] as const;
const KEY_TYPES: ReadonlySet<unknown> = new Set(["EC", "OKP", "RSA"]);
/** 4,096 bits in base64url: a larger modulus costs this service more than its owner. */
const NUMBER_MAX_CHARACTERS = 683;

type Jwk = Readonly<Record<string, unknown>>;

/** A key without the members that no verification reads. */
export function withKnownMembers<Key extends Jwk>(key: Key): Key {
  const known = MEMBERS.filter((name) => key[name] !== undefined).map((name) => [name, key[name]]);
  return Object.fromEntries(known) as Key;
}

/** Whether no number of a key is longer than the modulus of RSA with 4,096 bits. */
export function isBoundedKey(key: Jwk): boolean {
  return NUMBERS.every((name) => String(key[name] ?? "").length <= NUMBER_MAX_CHARACTERS);
}

/** Whether a member of a key set can be a key for signatures. */
export function isSignatureKey(key: unknown): key is Jwk {
  const { kty, use, ...numbers } = (key ?? {}) as Jwk;
  return KEY_TYPES.has(kty) && (use === undefined || use === "sig") && isBoundedKey(numbers);
}

/**
 * Whether a member of the key set of an issuer of workloads can verify assertions. The keys of a SPIFFE bundle have a
 * use of their own (SPIFFE Trust Domain and Bundle, section 4.2.2).
 */
export function isIssuerKey(key: unknown): key is Jwk {
  const { use, ...rest } = (key ?? {}) as Jwk;
  return isSignatureKey({ ...rest, use: use === "jwt-svid" ? "sig" : use });
}

/** A key whose use was checked by `isIssuerKey`: libraries know the use `sig` alone. */
export function withoutUse<Key extends Jwk>({
  use: _use,
  key_ops: _operations,
  ...key
}: Key): Omit<Key, "key_ops" | "use"> {
  return key;
}
