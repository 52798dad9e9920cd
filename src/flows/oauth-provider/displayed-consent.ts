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
 * A MAC over the content of a consent page and its user, for the form: a decision applies to the displayed content
 * only, so an application whose name, logo or consent requirement changed meanwhile is displayed again. Base64url, 43
 * characters.
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

/** Whether the submitted form displayed this content. */
export function wasDisplayed(deps: Pick<Deps, "codeKey">, shown: DisplayedConsent, seal: string): boolean {
  const [expected, given] = [sealDisplayedConsent(deps, shown), seal].map((text) => Buffer.from(text));
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(expected, given);
}
