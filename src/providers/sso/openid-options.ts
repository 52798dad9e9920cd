import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import type { GuardedFetch, GuardedInit } from "../guarded-fetch.ts";
import { Unreachable } from "./openid-failure.ts";

/** A connection to an identity provider, as the relying party needs the connection. */
export interface OpenidPartyOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Separated by spaces. */
  readonly scope: string;
  readonly extraParameters: Readonly<Record<string, string>>;
  readonly claimsFrom: "id_token" | "userinfo";
  /** Names of claims that the mapping needs: UserInfo is read too if the ID token lacks a claim. */
  readonly requiredClaims: readonly string[];
  readonly clockSkewSeconds: number;
  /** Rejects without a usable credential. */
  readonly credential: () => Promise<ClientCredential>;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
}

export type ClientCredential =
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "private_key"; readonly key: CryptoKey; readonly kid: string };

/** Options of every call of the library. Plain http only for an issuer with http: the guard permits loopback alone. */
export function callOptions({ issuer, fetch }: Pick<OpenidPartyOptions, "issuer" | "fetch">) {
  return {
    [oauth.customFetch]: async (url: string, init: unknown) => {
      const response = await fetch(url, init as GuardedInit).catch((error: unknown) => {
        throw new Unreachable(error instanceof Error ? error.message : "no response");
      });
      if (response.status >= 500) throw new Unreachable(`status ${response.status}`);
      return response;
    },
    [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
  };
}

export function clientOf({ clientId, clockSkewSeconds }: OpenidPartyOptions): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockSkewSeconds };
}
