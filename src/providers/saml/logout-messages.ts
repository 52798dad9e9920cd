/** Messages of single logout by SAML 2.0 (core, section 3.7). */
import { SAML_LOGOUT_MAX_AGE_MS } from "../../limits/saml-limits.ts";
import { assertionElement, type SamlMessage } from "./signed-message.ts";

const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
const BY_USER = "urn:oasis:names:tc:SAML:2.0:logout:user";

/** The name of a user at the identity provider, as asserted at the sign-in. */
export interface NameId {
  readonly value: string;
  readonly format: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
}

type Parties = Pick<SamlMessage, "destination" | "id" | "issuedAt" | "spEntityId">;

export interface LogoutRequest extends Parties {
  readonly nameId: NameId;
  /** Null: the identity provider named no session. */
  readonly sessionIndex: string | null;
}

export function logoutRequest({ nameId, sessionIndex, ...parties }: LogoutRequest): SamlMessage {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  const qualifiers = {
    Format: format ?? undefined,
    NameQualifier: nameQualifier ?? undefined,
    SPNameQualifier: spNameQualifier ?? undefined,
  };
  return {
    ...parties,
    name: "samlp:LogoutRequest",
    attributes: {
      NotOnOrAfter: new Date(parties.issuedAt + SAML_LOGOUT_MAX_AGE_MS).toISOString(),
      Reason: BY_USER,
    },
    content: [
      assertionElement("NameID", value, qualifiers),
      sessionIndex === null ? undefined : { name: "samlp:SessionIndex", content: [sessionIndex] },
    ],
  };
}

export interface LogoutResponse extends Parties {
  /** The ID of the request of the identity provider. */
  readonly inResponseTo: string;
}

export function logoutResponse({ inResponseTo, ...parties }: LogoutResponse): SamlMessage {
  const status = { name: "samlp:StatusCode", attributes: { Value: SUCCESS } };
  return {
    ...parties,
    name: "samlp:LogoutResponse",
    attributes: { InResponseTo: inResponseTo },
    content: [{ name: "samlp:Status", content: [status] }],
  };
}
