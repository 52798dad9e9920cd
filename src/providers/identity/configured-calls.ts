/** Calls to providers by configuration (docs/contract.md, section 16.8): guarded, bounded, without redirects. */
import * as oauth from "oauth4webapi";
import { SOCIAL_CALLS_MAX, SOCIAL_JSON_LEVELS_MAX } from "../../limits/social-provider-limits.ts";
import { parseJsonObject } from "../../vocabulary/json-object.ts";
import type { GuardedFetch, GuardedInit } from "../guarded-fetch.ts";
import type { Claims } from "./id-token.ts";
import { Unreachable } from "./identity-provider.ts";
import type { ProviderCalls } from "./oauth.ts";

/** Options of calls of the library. Plain http only for settings with http: the guard permits loopback alone. */
export function configuredCalls(fetch: GuardedFetch, base: string): ProviderCalls {
  return {
    [oauth.customFetch]: (url, init) => call(fetch, url, init as GuardedInit),
    [oauth.allowInsecureRequests]: base.startsWith("http:"),
  };
}

async function call(fetch: GuardedFetch, url: string, init: GuardedInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new Unreachable(error instanceof Error ? error.message : "no response");
  });
  if (response.status >= 500) throw new Unreachable(`status ${response.status}`);
  const text = await response.text();
  if (levelsOf(text) > SOCIAL_JSON_LEVELS_MAX) throw new Error("the response is nested too deeply");
  const { status, headers } = response;
  return new Response(text === "" ? null : text, { status, headers });
}

/** The greatest nesting of a JSON text, without a parser that recurses. */
function levelsOf(text: string): number {
  let [levels, greatest, isText] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isText) {
      if (character === "\\") index += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "{" || character === "[") greatest = Math.max(greatest, ++levels);
    else if (character === "}" || character === "]") levels -= 1;
  }
  return greatest;
}

export interface UserinfoRequest {
  readonly url: string;
  readonly accessToken: string;
  readonly byPost?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Reads a JSON object with an access token (RFC 6750, section 2.1). */
export async function readResource(
  calls: ProviderCalls,
  { url, accessToken, byPost = false, headers = {} }: UserinfoRequest,
): Promise<Claims> {
  const response = await calls[oauth.customFetch](url, {
    method: byPost ? "POST" : "GET",
    // GitHub and other APIs refuse requests without a user agent.
    headers: {
      ...{ accept: "application/json", "user-agent": "identity-service", authorization: `Bearer ${accessToken}` },
      ...headers,
    },
  });
  if (response.status !== 200) throw new Error(`the userinfo endpoint returned status ${response.status}`);
  const claims = parseJsonObject(await response.text());
  if (!claims) throw new Error("the userinfo endpoint returned no JSON object");
  return claims;
}

const TOKEN_MEMBERS = ["access_token", "token_type", "id_token", "error", "error_description"];

/**
 * The members of a token response that the service uses. Providers return other members in forms of their own: a list
 * as `scope`, a text as `expires_in`, null for an absent member. A response without a type has the type Bearer.
 */
export async function usedMembers(response: Response, hasIdToken: boolean): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  const parsed = parseJsonObject(text);
  if (!parsed) return new Response(text, { status, headers });
  const names = hasIdToken ? TOKEN_MEMBERS : TOKEN_MEMBERS.filter((name) => name !== "id_token");
  const used = names.flatMap((name) =>
    parsed[name] === null || parsed[name] === undefined ? [] : [[name, parsed[name]]],
  );
  const type = parsed.access_token === undefined ? {} : { token_type: "Bearer" };
  return new Response(JSON.stringify({ ...type, ...Object.fromEntries(used) }), {
    status,
    headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
  });
}

/** Runs work unless `SOCIAL_CALLS_MAX` sign-ins of the provider wait for the provider already. */
export function boundedCalls(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  return async (work) => {
    if (running >= SOCIAL_CALLS_MAX) throw new Unreachable("too many sign-ins wait for the provider");
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}
