/**
 * Owns: the relying parties in memory, with the metadata and keys of identity providers: one for each revision of a
 * connection. Updated by: requests. Bound: `SSO_PARTIES_MAX`, least recently used first out. A crash loses: no data.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../base/clock.ts";
import { IDENTITY_CALL_DEADLINE_MS, IDENTITY_RESPONSE_MAX_BYTES } from "../../limits/provider-limits.ts";
import { SSO_PARTIES_MAX } from "../../limits/sso-sign-in-limits.ts";
import { guardedFetch } from "../guarded-fetch.ts";
import { type GuardedPostOptions, guardedPost } from "../guarded-post.ts";
import type { OpenidPartyOptions } from "./openid-options.ts";
import { type OpenidParty, openidParty } from "./openid-party.ts";

export interface PartyKey {
  readonly connectionId: string;
  readonly revision: number;
}

export interface OpenidParties {
  /** The relying party of a connection; `settings` are read once for a revision. */
  find(key: PartyKey, settings: () => Omit<OpenidPartyOptions, "fetch" | "clock">): OpenidParty;
}

export function openidParties(
  { clock }: { readonly clock: Clock },
  reach: Pick<GuardedPostOptions, "allows" | "loopback" | "proxy">,
): OpenidParties {
  const parties = new LRUCache<string, OpenidParty>({ max: SSO_PARTIES_MAX });
  const bounds = { deadlineMs: IDENTITY_CALL_DEADLINE_MS, maxBytes: IDENTITY_RESPONSE_MAX_BYTES };
  const send = guardedPost({ ...reach, ...bounds });
  return {
    find({ connectionId, revision }, settings) {
      const key = `${connectionId} ${revision}`;
      const party = parties.get(key) ?? openidParty({ ...settings(), fetch: guardedFetch(send, connectionId), clock });
      parties.set(key, party);
      return party;
    },
  };
}
