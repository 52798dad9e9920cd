import { createHmac, timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../deps.ts";
import type { SessionView } from "../../../models/session/session.ts";
import type { FoundRequest } from "./respond-with-code.ts";

export interface DisplayedConsent extends FoundRequest {
  readonly session: SessionView;
  /** `account`: no scopes are displayed. */
  readonly ask: "scopes" | "account";
  /** The displayed texts of the scopes. */
  readonly descriptions: readonly string[];
}

/**
 * A MAC over the content of a consent page and its user, for the form: a decision applies to the displayed content
 * only, so the page is displayed again after a change of the name, logo or consent requirement of the application, or
 * of the description of a scope. Base64url, 43 characters.
 */
export function sealDisplayedConsent({ codeKey }: Pick<Deps, "codeKey">, consent: DisplayedConsent): string {
  const { session, handleHash, client, request, ask, descriptions } = consent;
  const { redirectUri, scopes, resources } = request.parameters;
  const parts = [
    session.userId,
    session.organizationId,
    handleHash.toString("base64url"),
    client.id,
    client.name,
    client.logoUrl,
  ];
  const text = JSON.stringify([...parts, redirectUri, scopes, resources, ask, descriptions]);
  return createHmac("sha256", codeKey).update(`oauth consent\n${text}`).digest("base64url");
}

/** Whether the submitted form displayed this content. */
export function wasDisplayed(deps: Pick<Deps, "codeKey">, consent: DisplayedConsent, seal: string): boolean {
  const [expected, given] = [sealDisplayedConsent(deps, consent), seal].map((text) => Buffer.from(text));
  return expected !== undefined && given?.length === expected.length && timingSafeEqual(expected, given);
}
