/**
 * The corpus of SAML responses with expected verdicts: valid responses in the manner of products, forgeries, and
 * responses that break a rule. Every message is made anew by fresh keys.
 */
import type { SamlReason, SamlResponseJob, SamlTrust } from "../../../src/pool/saml-protocol.ts";
import { forgeries } from "./forgeries.ts";
import { samlKeys } from "./keys.ts";
import { ACS, encodeMessage, IDP, NOW, REQUEST_ID, SERVICE } from "./message.ts";
import { ruleBreaches } from "./rule-breaches.ts";
import { validMessages } from "./valid-messages.ts";

/**
 * `valid`: to be accepted. `forgery`: an attacker without a key of the identity provider makes or changes a message; an
 * implementation that accepts the message is broken. `breach`: signed by the identity provider, against a rule of the
 * profile; other implementations may accept the message.
 */
export type CorpusKind = "valid" | "forgery" | "breach";

export interface CorpusCase {
  readonly kind: CorpusKind;
  readonly name: string;
  readonly xml: string;
  readonly trust?: Partial<SamlTrust>;
  readonly job?: Partial<Pick<SamlResponseJob, "requestId" | "maxAgeSeconds" | "now" | "message">>;
  /** True: most other implementations do not know the algorithm, or have a smaller skew. */
  readonly isRare?: boolean;
  /** The reasons that the strict profile may give; undefined: accepted. */
  readonly reasons?: readonly SamlReason[];
}

export const TRUST: SamlTrust = {
  entityId: IDP,
  spEntityId: SERVICE,
  acsUrl: ACS,
  certificates: [],
  signedElement: "assertion",
  encryptedAssertions: "off",
  decryptionKeys: [],
  clockSkewSeconds: 60,
  subjectFrom: null,
  emailFrom: null,
};

export function jobOf({ xml, trust, job }: CorpusCase): SamlResponseJob {
  return {
    kind: "response",
    message: encodeMessage(xml),
    trust: { ...TRUST, certificates: [samlKeys.idp().certificate], ...trust },
    requestId: REQUEST_ID,
    maxAgeSeconds: null,
    now: NOW,
    ...job,
  };
}

/** All cases; names are unique. */
export function corpus(): CorpusCase[] {
  return [...validMessages(), ...forgeries(), ...ruleBreaches()];
}
