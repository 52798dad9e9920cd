/**
 * The second implementation, `@node-saml/node-saml` on xml-crypto and xmldom. A response counts only if this
 * implementation accepts the response too and reads the same identity: a difference of two parsers then ends the
 * sign-in, and no attack follows from the difference.
 */
import type { BinaryLike } from "node:crypto";
import { type CacheProvider, SAML, type SamlConfig } from "@node-saml/node-saml";
import type { SamlAttribute, SamlResponseJob } from "../../src/pool/saml-protocol.ts";
import { formText } from "./form-value.ts";
import type { StrictResult } from "./strict-profile.ts";

/** Requests are rows of the database, so the library keeps nothing. */
export const NO_CACHE: CacheProvider = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/** The library reads the system's clock; the time is part of the job. */
export class SecondImplementation extends SAML {
  readonly #now: number;

  constructor(config: SamlConfig, now: number) {
    super(config);
    this.#now = now;
  }

  protected override checkTimestampsValidityError(_: number, notBefore: string, notOnOrAfter: string): Error | null {
    return super.checkTimestampsValidityError(this.#now, notBefore, notOnOrAfter);
  }

  /** Bun lists digests without the names of signatures, by which the library finds a method. */
  protected override validateSignatureForRedirect(
    query: BinaryLike,
    signature: string,
    algorithm: string,
    pem: string,
  ): boolean {
    return super.validateSignatureForRedirect(query, signature, algorithm.replace("#rsa-", "#"), pem);
  }
}

/** Whether the second implementation accepts the response and reads the identity of the strict profile. */
export async function agrees(job: SamlResponseJob, result: StrictResult): Promise<boolean> {
  const { identity } = result;
  try {
    const implementation = new SecondImplementation(configOf(job, result), job.now);
    const { profile } = await implementation.validatePostResponseAsync({ SAMLResponse: formText(job.message) });
    if (!profile) return false;
    return (
      profile.issuer === job.trust.entityId &&
      textOf(profile.nameID) === textOf(identity.nameId) &&
      (profile.nameIDFormat ?? null) === identity.nameIdFormat &&
      (profile.sessionIndex ?? null) === identity.sessionIndex &&
      hasSameAttributes(profile.attributes as AttributeValues | undefined, identity.attributes)
    );
  } catch {
    return false;
  }
}

function configOf({ trust }: SamlResponseJob, { decryptionKey, isResponseSigned }: StrictResult): SamlConfig {
  return {
    callbackUrl: trust.acsUrl,
    issuer: trust.spEntityId,
    audience: trust.spEntityId,
    idpIssuer: trust.entityId,
    idpCert: [...trust.certificates],
    // A signature of the whole response covers the assertion; a second verification would double the CPU time.
    wantAssertionsSigned: trust.signedElement === "assertion" && !isResponseSigned,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: trust.clockSkewSeconds * 1000,
    cacheProvider: NO_CACHE,
    ...(decryptionKey === undefined ? {} : { decryptionPvk: decryptionKey }),
  };
}

type AttributeValues = Readonly<Record<string, unknown>>;

/** The library keeps the last of several attributes with one name. Attributes without a text have no value here. */
function hasSameAttributes(theirs: AttributeValues = {}, ours: readonly SamlAttribute[]): boolean {
  const read = Object.entries(theirs).map(([name, value]) => [name, textsOf(value)] as const);
  const last = new Map(ours.filter(({ values }) => values.length > 0).map(({ name, values }) => [name, values]));
  const present = read.filter(([, values]) => values.length > 0);
  return present.length === last.size && present.every(([name, values]) => areEqual(values, last.get(name)));
}

function textsOf(value: unknown): string[] {
  return [value].flat().flatMap((each) => (typeof each === "object" ? [] : textOf(each)));
}

function areEqual(theirs: readonly string[], ours: readonly string[] = []): boolean {
  return theirs.length === ours.length && theirs.every((value, index) => value === textOf(ours[index]));
}

/** The library has no text of white space only. */
export function textOf(value: unknown): string {
  return typeof value === "string" && value.trim() !== "" ? value : "";
}
