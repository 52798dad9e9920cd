import { createHmac } from "node:crypto";
import { hashToken } from "../../base/token-hash.ts";
import type { Sql } from "../../database/database.ts";
import { deleteRowsBefore } from "../../database/retention.ts";

/** Values that only the starting browser can reproduce: derived from the cookie and not stored. */
export interface BrowserProof {
  /** RFC 7636, section 4.1. */
  readonly codeVerifier: string;
  /** OpenID Connect Core, section 3.1.2.1. */
  readonly nonce: string;
}

export function browserProof(browserToken: string, state: string): BrowserProof {
  const derive = (purpose: string) =>
    createHmac("sha256", browserToken).update(`${purpose}:${state}`).digest("base64url");
  return { codeVerifier: derive("code_verifier"), nonce: derive("nonce") };
}

export interface OauthState {
  readonly state: string;
  readonly browserToken: string;
  readonly provider: string;
  readonly redirectTo: string;
  /** The session that links an identity to its user; null for a sign-in. */
  readonly linkSessionId: string | null;
  readonly expiresAt: Date;
}

export async function insertOauthState(sql: Sql, started: OauthState): Promise<void> {
  await sql`
    insert into oauth_states (state_hash, browser_hash, provider, redirect_to, link_session_id, expires_at)
    values (${hashToken(started.state)}, ${browserHash(started.browserToken, started.linkSessionId !== null)},
            ${started.provider}, ${started.redirectTo}, ${started.linkSessionId}, ${started.expiresAt})`;
}

/**
 * The intent is a part of the hash: a replica of the release without links finds no row for a link, and cannot take the
 * link for a sign-in.
 */
function browserHash(browserToken: string, isLink: boolean): Buffer {
  return hashToken(isLink ? `link:${browserToken}` : browserToken);
}

/**
 * Consumes a state. Only the browser and the provider of the state match; any further request finds no row and leaves
 * the state unused (G11).
 */
export async function consumeOauthState(
  sql: Sql,
  presented: Pick<OauthState, "state" | "browserToken" | "provider"> & { readonly at: Date },
): Promise<Pick<OauthState, "redirectTo" | "linkSessionId"> | undefined> {
  const { browserToken } = presented;
  const [row] = await sql<{ redirectTo: string; linkSessionId: string | null; live: boolean }[]>`
    delete from oauth_states
    where state_hash = ${hashToken(presented.state)} and provider = ${presented.provider}
      and browser_hash = case when link_session_id is null then ${browserHash(browserToken, false)}::bytea
                              else ${browserHash(browserToken, true)}::bytea end
    returning redirect_to as "redirectTo", link_session_id as "linkSessionId", expires_at > ${presented.at} as live`;
  return row?.live ? row : undefined;
}

/** Deletes a bounded batch of expired states; returns how many. */
export const deleteExpiredOauthStates = deleteRowsBefore("oauth_states", "expires_at");
