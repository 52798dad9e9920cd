import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, createSign } from "node:crypto";
import { settingsOfMetadata } from "../../src/flows/sso/connections/metadata-changes.ts";
import { type AuthnRequest, authnRequest } from "../../src/providers/saml/authn-request.ts";
import { serviceCertificate } from "../../src/providers/saml/service-certificate.ts";
import { carryMessage, type RsaSigner } from "../../src/providers/saml/signed-message.ts";
import { readMetadata } from "../../workers/saml/idp-metadata.ts";
import { runResponseJob } from "../../workers/saml.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { ACS, REQUEST_ID, SERVICE } from "../support/saml/message.ts";
import { type SimpleSamlPhp, startSimpleSamlPhp } from "../support/saml/simplesamlphp.ts";

let idp: SimpleSamlPhp;
const key = samlKeys.service();
const signer = async (bytes: Buffer) => createSign("sha256").update(bytes).sign(key.key);

beforeAll(async () => {
  idp = await startSimpleSamlPhp();
});
afterAll(() => idp.stop());

/** Registers the service with the certificate of its metadata. */
async function register(options: string): Promise<void> {
  const { n = "", e = "" } = createPublicKey(key.certificate).export({ format: "jwk" });
  const input = { publicJwk: { kty: "RSA", n, e }, commonName: SERVICE, createdAt: new Date() };
  const certificate = `'certData' => '${await serviceCertificate(input, signer)}'`;
  idp.register({
    entityId: SERVICE,
    acsUrl: ACS,
    options: `'validate.authnrequest' => true, ${certificate}, ${options}`,
  });
}

async function settings() {
  const xml = await (await fetch(idp.metadataUrl)).text();
  const read = readMetadata({ kind: "metadata", xml, entityId: null, now: Date.now() });
  if (!read.ok) throw new Error(read.problem);
  const none = {
    entity_id: null,
    sso_url: null,
    slo_url: null,
    request_binding: "redirect",
    certificates: [],
  } as const;
  return settingsOfMetadata(none, read.metadata);
}

const requestTo = (ssoUrl: string | null): AuthnRequest => ({
  id: REQUEST_ID,
  issuedAt: Date.now(),
  spEntityId: SERVICE,
  ssoUrl: ssoUrl ?? "",
  acsUrl: ACS,
  nameIdFormat: null,
  forceAuthn: false,
  authnContexts: [],
});

async function send(request: AuthnRequest, by: RsaSigner): Promise<string> {
  return (await carryMessage(authnRequest(request), "redirect", "handle", by)).location;
}

async function verify(message: string, encrypted: boolean) {
  const { entity_id, certificates } = await settings();
  return await runResponseJob({
    kind: "response",
    message,
    requestId: REQUEST_ID,
    maxAgeSeconds: 300,
    now: Date.now(),
    trust: {
      entityId: entity_id ?? "",
      spEntityId: SERVICE,
      acsUrl: ACS,
      certificates,
      signedElement: "assertion",
      encryptedAssertions: encrypted ? "required" : "off",
      decryptionKeys: encrypted ? [key.key] : [],
      clockSkewSeconds: 60,
      // The NameID of simplesamlphp is transient.
      subjectFrom: "uid",
      emailFrom: "mail",
    },
  });
}

const IDENTITY = {
  subject: "student",
  attributes: [
    { name: "uid", friendlyName: null, values: ["student"] },
    { name: "mail", friendlyName: null, values: ["student@acme.example"] },
    { name: "displayName", friendlyName: null, values: ["Jürgen Müller"] },
    { name: "eduPersonAffiliation", friendlyName: null, values: ["member", "student"] },
  ],
};

describe("simplesamlphp", () => {
  test("accepts a signed request by redirect; both implementations read the response", async () => {
    await register("'saml20.sign.response' => true");
    const url = await send(requestTo((await settings()).sso_url), signer);
    const { SAMLResponse, RelayState } = await idp.signIn(url);
    expect(RelayState).toBe("handle");
    expect(await verify(SAMLResponse, false)).toMatchObject({ ok: true, identity: IDENTITY });
  });

  test("accepts a signed request by POST; an assertion encrypted by AES-GCM is read", async () => {
    const cipher = "'sharedkey_algorithm' => 'http://www.w3.org/2009/xmlenc11#aes256-gcm'";
    await register(`'assertion.encryption' => true, ${cipher}`);
    const { sso_url } = await settings();
    const { form } = await carryMessage(authnRequest(requestTo(sso_url)), "post", "handle", signer);
    const { SAMLResponse } = await idp.signIn(sso_url ?? "", form);
    expect(await verify(SAMLResponse, true)).toMatchObject({ ok: true, identity: IDENTITY });
    expect(await verify(SAMLResponse, false)).toMatchObject({ ok: false, reason: "decryption" });
  });

  test("refuses a request with a signature by a foreign key", async () => {
    await register("'saml20.sign.response' => true");
    const forger = async (bytes: Buffer) => createSign("sha256").update(bytes).sign(samlKeys.attacker().key);
    const url = await send(requestTo((await settings()).sso_url), forger);
    await expect(idp.signIn(url)).rejects.toThrow("simplesamlphp");
  });
});
