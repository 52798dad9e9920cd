import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../deps.ts";
import type { SessionView } from "../../models/session/session.ts";
import type { FoundRequest } from "./authorize.ts";

export interface DisplayedConsent extends FoundRequest {
  readonly session: SessionView;
  /** `account`: no scopes were shown. */
  readonly ask: "scopes" | "account";
}

/**
 * A MAC over what a consent page shows and to whom, for its form: a decision is about what was shown, so an application
 * that got another name, logo or duty to ask meanwhile is shown again. Base64url, 43 characters.
 */
export function sealDisplayedConsent({ codeKey }: Pick<Deps, "codeKey">, shown: DisplayedConsent): string {
  const { session, handleHash, client, request, ask } = shown;
  const { redirectUri, scopes, resources } = request.parameters;
  const parts = [
    session.userId,
    session.organizationId,
    handleHash.toString("base64url"),
    client.id,
    client.name,
    client.logoUrl,
  ];
  const text = JSON.stringify([...parts, redirectUri, scopes, resources, ask]);
  return createHmac("sha256", codeKey).update(`oauth consent\n${text}`).digest("base64url");
}

/** Whether the form that came back showed this. */
export function wasDisplayed(deps: Pick<Deps, "codeKey">, shown: DisplayedConsent, seal: string): boolean {
  const [expected, given] = [sealDisplayedConsent(deps, shown), seal].map((text) => Buffer.from(text));
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(expected, given);
}
