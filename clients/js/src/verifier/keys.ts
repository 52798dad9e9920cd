/**
 * The public keys of the service. A single fetch runs at a time; an unknown `kid` causes at most one fetch a second,
 * and the tokens with the `kid` wait: the key may be newer than the cache. Keys remain cached while the service is
 * unavailable.
 */
import { type CryptoKey, importJWK, type JWK } from "jose";
import { type Service, sendRequest } from "./http.ts";
import { Shared } from "./waiting.ts";

const FETCH_TIMEOUT_MS = 2_000;
const FETCH_PAUSE_MS = 1_000;
/** After this time the keys are fetched again in the background, so that a withdrawn key does not remain. */
const REFETCH_MS = 60_000;
/** Tokens with an unknown `kid` that wait at once. Further tokens get a `Retry-After`. */
const WAITING_MAX = 1_000;
const KEYS_MAX = 100;

export interface Keys {
  /** `unknown`: the service has no key with this `kid`. `unavailable`: the service did not respond. */
  find(kid: string): Promise<CryptoKey | "unknown" | "unavailable">;
}

export function keys(service: Service, now: () => number, algorithms: readonly string[] = ["RS256"]): Keys {
  let known = new Map<string, CryptoKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let requestedAt = Number.NEGATIVE_INFINITY;
  const fetching = new Shared<void>(now);
  let waiting = 0;

  async function load(): Promise<void> {
    const pauseMs = requestedAt + FETCH_PAUSE_MS - now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    requestedAt = now();
    const response = await sendRequest(service, `${service.baseUrl}/.well-known/jwks.json`, {
      timeoutMs: FETCH_TIMEOUT_MS,
    });
    if (response.status !== 200) throw new Error(`the key set responded with ${response.status}`);
    known = await importKeys(JSON.parse(response.text).keys, algorithms);
    fetchedAt = now();
  }

  const refetch = () => fetching.run(FETCH_PAUSE_MS + FETCH_TIMEOUT_MS, load);

  return {
    async find(kid) {
      const key = known.get(kid);
      if (key) {
        if (now() - fetchedAt > REFETCH_MS && now() - requestedAt > FETCH_PAUSE_MS) refetch().catch(() => undefined);
        return key;
      }
      if (waiting >= WAITING_MAX) return "unavailable";
      waiting += 1;
      try {
        // A fetch that began before this token arrived may be older than the key; another fetch follows.
        for (let attempt = fetching.isUnderway ? 0 : 1; attempt < 2 && !known.has(kid); attempt += 1) await refetch();
        return known.get(kid) ?? "unknown";
      } catch {
        return "unavailable";
      } finally {
        waiting -= 1;
      }
    },
  };
}

async function importKeys(list: readonly JWK[], algorithms: readonly string[]): Promise<Map<string, CryptoKey>> {
  const usable = list.filter((jwk) => jwk.kid && algorithms.includes(algorithmOf(jwk)));
  const imported = usable.slice(0, KEYS_MAX).map(async (jwk): Promise<[string, CryptoKey]> => {
    return [jwk.kid ?? "", (await importJWK(jwk, algorithmOf(jwk))) as CryptoKey];
  });
  return new Map(await Promise.all(imported));
}

/** The algorithm of a key; an RSA key without `alg` is for RS256. */
function algorithmOf({ kty, alg }: JWK): string {
  if (kty === "RSA") return alg ?? "RS256";
  return alg ?? "";
}
