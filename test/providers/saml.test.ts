import { describe, expect, test } from "bun:test";
import { createPublicKey, createSign, verify, X509Certificate } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";
import { err, ok } from "../../src/base/result.ts";
import { guardedFetch } from "../../src/providers/guarded-fetch.ts";
import { type AuthnRequest, authnRequest, requestIdOf } from "../../src/providers/saml/authn-request.ts";
import { fetchMetadata } from "../../src/providers/saml/fetch-metadata.ts";
import { serviceCertificate } from "../../src/providers/saml/service-certificate.ts";
import { serviceMetadataXml } from "../../src/providers/saml/service-metadata.ts";
import { carryMessage, type RsaSigner } from "../../src/providers/saml/signed-message.ts";
import { openDocument } from "../../workers/saml/xml-document.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { ACS, NOW, SERVICE } from "../support/saml/message.ts";
import { elementText } from "../support/saml/xml-text.ts";

const BOUNDS = { levelsMax: 50, nodesMax: 500 };
const key = samlKeys.service();
const publicKey = createPublicKey(key.certificate);
const signer = async (bytes: Buffer) => createSign("sha256").update(bytes).sign(key.key);

const request: AuthnRequest = {
  id: "_1f",
  issuedAt: NOW,
  spEntityId: `${SERVICE}?a=1&b="2"<`,
  ssoUrl: "https://idp.acme.example/sso?tenant=a&x=1",
  acsUrl: ACS,
  nameIdFormat: null,
  forceAuthn: false,
  authnContexts: [],
};

async function redirectUrl(sent: AuthnRequest, relayState: string, by: RsaSigner | undefined): Promise<string> {
  return (await carryMessage(authnRequest(sent), "redirect", relayState, by)).location;
}

describe("authentication requests", () => {
  test("have an ID of 160 bits for each handle", () => {
    expect(requestIdOf("handle")).toMatch(/^_[0-9a-f]{40}$/);
    expect(requestIdOf("handle")).not.toBe(requestIdOf("other handle"));
  });

  test("The redirect binding signs the query as sent and keeps the query of the identity provider.", async () => {
    const url = await redirectUrl(request, "handle +/=", signer);
    expect(url).toStartWith("https://idp.acme.example/sso?tenant=a&x=1&SAMLRequest=");
    const [signed = "", signature = ""] = url.slice(url.indexOf("SAMLRequest=")).split("&Signature=");
    expect(verify("sha256", Buffer.from(signed), publicKey, Buffer.from(decodeURIComponent(signature), "base64"))).toBe(
      true,
    );
    const query = new URL(url).searchParams;
    expect(query.get("RelayState")).toBe("handle +/=");
    expect(query.get("SigAlg")).toBe("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256");
    const xml = inflateRawSync(Buffer.from(query.get("SAMLRequest") ?? "", "base64")).toString();
    using document = openDocument(Buffer.from(xml), BOUNDS);
    const { attributes, children } = document.root;
    expect(Object.fromEntries(attributes.map(({ name, value }) => [name, value]))).toEqual({
      ID: "_1f",
      Version: "2.0",
      IssueInstant: new Date(NOW).toISOString(),
      Destination: request.ssoUrl,
      AssertionConsumerServiceURL: ACS,
      ProtocolBinding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
    });
    expect(children.map(({ name, text }) => [name, text])).toEqual([
      ["Issuer", request.spEntityId],
      ["NameIDPolicy", ""],
    ]);
  });

  test("Without a signer the redirect has neither algorithm nor signature.", async () => {
    const { searchParams } = new URL(
      await redirectUrl({ ...request, ssoUrl: "https://idp.example/sso" }, "h", undefined),
    );
    expect([...searchParams.keys()]).toEqual(["SAMLRequest", "RelayState"]);
  });

  test("The POST binding has an enveloped signature that xml-crypto verifies.", async () => {
    const contexts = ["urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken"];
    const sent = authnRequest({ ...request, forceAuthn: true, authnContexts: contexts });
    const { form } = await carryMessage(sent, "post", "handle", signer);
    expect(form?.RelayState).toBe("handle");
    const xml = Buffer.from(form?.SAMLRequest ?? "", "base64").toString();
    const verifies = (message: string) => {
      const verifier = new SignedXml({ publicCert: key.certificate });
      verifier.loadSignature(elementText(message, "Signature"));
      return verifier.checkSignature(message);
    };
    expect(verifies(xml)).toBe(true);
    expect(verifies(xml.replace("ForceAuthn", "IsPassive"))).toBe(false);
    expect(xml).toContain('ForceAuthn="true"');
    using document = openDocument(Buffer.from(xml), BOUNDS);
    expect(document.canonicalize(document.root, []).toString()).toBe(xml);
    expect(document.root.children.map(({ name }) => name)).toEqual([
      "Issuer",
      "Signature",
      "NameIDPolicy",
      "RequestedAuthnContext",
    ]);
  });
});

describe("certificates of service keys", () => {
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const input = { publicJwk: { kty: "RSA", n, e }, commonName: SERVICE, createdAt: new Date("2026-03-02T10:00:00Z") };

  test("The certificate has the key, is signed by the key, and is equal at every replica.", async () => {
    const text = await serviceCertificate(input, signer);
    expect(await serviceCertificate(input, signer)).toBe(text);
    const certificate = new X509Certificate(Buffer.from(text, "base64"));
    expect(certificate.subject).toBe(`CN=${SERVICE}`);
    expect(certificate.publicKey.equals(publicKey)).toBe(true);
    expect(certificate.verify(publicKey)).toBe(true);
    expect([certificate.validFromDate, certificate.validToDate].map((date) => date.toISOString())).toEqual([
      "2026-03-02T00:00:00.000Z",
      "2036-03-02T00:00:00.000Z",
    ]);
    const opened = Bun.spawnSync(["openssl", "x509", "-inform", "DER", "-noout", "-text"], {
      stdin: Buffer.from(text, "base64"),
    });
    expect(opened.stdout.toString()).toContain("Signature Algorithm: sha256WithRSAEncryption");
  });

  test("Metadata name the ACS and every key for signatures and encryption.", async () => {
    const metadata = {
      spEntityId: SERVICE,
      acsUrl: ACS,
      sloUrl: `${ACS}/slo`,
      signsRequests: true,
      wantsSignedAssertions: true,
      certificates: ["QQ==", "Qg=="],
      nameIdFormat: null,
    };
    using document = openDocument(Buffer.from(serviceMetadataXml(metadata)), BOUNDS);
    const [descriptor] = document.root.children;
    const keys = descriptor?.children.filter(({ name }) => name === "KeyDescriptor") ?? [];
    const certificateOf = (each: (typeof keys)[number]) => each.children[0]?.children[0]?.children[0]?.text;
    expect(keys.map((each) => [each.attributes[0]?.value, certificateOf(each)])).toEqual([
      ["signing", "QQ=="],
      ["signing", "Qg=="],
      ["encryption", "QQ=="],
      ["encryption", "Qg=="],
    ]);
    expect(document.root.attributes).toEqual([{ namespace: "", name: "entityID", value: SERVICE }]);
    expect(descriptor?.children.at(-1)?.attributes.find(({ name }) => name === "Location")?.value).toBe(ACS);
  });
});

describe("fetch of metadata", () => {
  const response = { status: 200, complete: true, headers: {}, body: Buffer.from("<x/>") };
  const fetched = (send: Parameters<typeof guardedFetch>[0]) =>
    fetchMetadata(guardedFetch(send, "sso"), "https://idp.example/metadata");

  test("returns the text of a complete response with the status 200", async () => {
    expect(await fetched(async () => ok(response))).toEqual(ok("<x/>"));
  });

  test("names the cause of a failure: status, size, address", async () => {
    const causes = await Promise.all([
      fetched(async () => ok({ ...response, status: 302 })),
      fetched(async () => ok({ ...response, complete: false })),
      fetched(async () => err({ cause: "the address is not public" })),
    ]);
    expect(causes.map((each) => (each.ok ? "" : each.error.cause))).toEqual([
      "the response has the status 302",
      "the response is too large",
      "the address is not public",
    ]);
  });
});
