/**
 * The second implementation, `@node-saml/node-saml` on xml-crypto and xmldom. A response counts only if this
 * implementation accepts the response too and reads the same identity: a difference of two parsers then ends the
 * sign-in, and no attack follows from the difference.
 */
import type { BinaryLike } from "node:crypto";
import { type CacheProvider, type Profile, SAML, type SamlConfig } from "@node-saml/node-saml";
import { getVerifiedXml, parseDomFromString } from "@node-saml/node-saml/lib/xml.js";
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

  /** The library compares audiences with the white space of indentation. */
  protected override checkAudienceValidityError(
    expected: string,
    restrictions: Parameters<SAML["checkAudienceValidityError"]>[1],
  ): Error | null {
    const trimmed = restrictions?.map(({ Audience: audiences, ...rest }) => ({
      ...rest,
      ...(audiences ? { Audience: audiences.map((each) => ({ ...each, _: String(each._).trim() })) } : {}),
    }));
    return super.checkAudienceValidityError(expected, trimmed);
  }

  /**
   * The profile of a response whose encryption the library cannot read, from the assertion that the strict profile has
   * decrypted: the library verifies the signature of the response or of the assertion, and the content.
   */
  async readDecrypted(message: string, assertion: string): Promise<Profile | null> {
    const response = Buffer.from(message, "base64").toString("utf8");
    const pins = await this.getKeyInfosAsPem();
    const verify = async (xml: string) => getVerifiedXml(xml, (await parseDomFromString(xml)).documentElement, pins);
    const ofResponse = await verify(response);
    const ofAssertion = await verify(assertion);
    if (ofAssertion === null && (ofResponse === null || this.options.wantAssertionsSigned)) return null;
    const { profile } = await this.processValidlySignedAssertionAsync(ofAssertion ?? assertion, response, null);
    return profile ?? null;
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
    const profile = await readProfile(job, result);
    if (!profile) return false;
    return (
      profile.issuer?.trim() === job.trust.entityId &&
      textOf(profile.nameID).trim() === identity.nameId.trim() &&
      (profile.nameIDFormat ?? null) === identity.nameIdFormat &&
      (profile.sessionIndex ?? null) === identity.sessionIndex &&
      hasSameAttributes(profile.attributes as AttributeValues | undefined, identity.attributes)
    );
  } catch {
    return false;
  }
}

async function readProfile(job: SamlResponseJob, result: StrictResult): Promise<Profile | null> {
  const implementation = new SecondImplementation(configOf(job, result), job.now);
  const message = formText(job.message);
  const { decrypted } = result;
  if (decrypted?.isOfLibrary === false) return await implementation.readDecrypted(message, decrypted.bytes.toString());
  return (await implementation.validatePostResponseAsync({ SAMLResponse: message })).profile;
}

function configOf({ trust }: SamlResponseJob, { decrypted, isResponseSigned }: StrictResult): SamlConfig {
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
    ...(decrypted ? { decryptionPvk: decrypted.key } : {}),
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
