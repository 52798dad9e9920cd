/** Authentication requests of SAML 2.0 (core, section 3.4). */
import { createHash } from "node:crypto";
import { SAML_REQUEST_ID_BYTES } from "../../limits/saml-limits.ts";
import type { CanonicalElement } from "./canonical-xml.ts";
import { assertionElement, type SamlMessage } from "./signed-message.ts";

const POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";

export interface AuthnRequest extends Pick<SamlMessage, "id" | "issuedAt" | "spEntityId"> {
  /** The single sign-on service of the identity provider. */
  readonly ssoUrl: string;
  readonly acsUrl: string;
  /** Null: the request names no format. */
  readonly nameIdFormat: string | null;
  /** A step-up: the identity provider authenticates the user again. */
  readonly forceAuthn: boolean;
  /** Requested classes of authentication, for a step-up only. */
  readonly authnContexts: readonly string[];
}

/**
 * The ID of the request with a random handle, the `RelayState`: a response names both, and only the ID is under its
 * signature. An ID begins with a letter or underscore (NCName).
 */
export function requestIdOf(handle: string): string {
  const digest = createHash("sha256").update(`saml request ${handle}`).digest("hex");
  return `_${digest.slice(0, SAML_REQUEST_ID_BYTES * 2)}`;
}

export function authnRequest(request: AuthnRequest): SamlMessage {
  const { id, issuedAt, spEntityId, ssoUrl: destination, nameIdFormat, authnContexts } = request;
  return {
    name: "samlp:AuthnRequest",
    id,
    issuedAt,
    spEntityId,
    destination,
    attributes: {
      AssertionConsumerServiceURL: request.acsUrl,
      ProtocolBinding: POST_BINDING,
      ForceAuthn: request.forceAuthn ? "true" : undefined,
    },
    content: [
      { name: "samlp:NameIDPolicy", attributes: { AllowCreate: "true", Format: nameIdFormat ?? undefined } },
      requestedContext(authnContexts),
    ],
  };
}

function requestedContext(classes: readonly string[]): CanonicalElement | undefined {
  if (classes.length === 0) return undefined;
  return {
    name: "samlp:RequestedAuthnContext",
    attributes: { Comparison: "exact" },
    content: classes.map((value) => assertionElement("AuthnContextClassRef", value)),
  };
}
