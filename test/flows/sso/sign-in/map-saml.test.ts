/** The identity in an assertion of SAML 2.0 (docs/contract.md, section 29.12), without I/O. */
import { expect, test } from "bun:test";
import { mapSamlIdentity } from "../../../../src/flows/sso/sign-in/map-saml.ts";
import type { SamlIdentity } from "../../../../src/pool/saml-protocol.ts";
import { DEFAULT_SAML_CONFIG } from "../../../../src/vocabulary/sso/saml-config.ts";

function emailOf(nameId: string, attribute?: string): string | undefined {
  const attributes = attribute === undefined ? [] : [{ name: "mail", friendlyName: null, values: [attribute] }];
  const identity = { subject: "s", nameId, attributes, authnContexts: [] } as unknown as SamlIdentity;
  const config = { ...DEFAULT_SAML_CONFIG, email_from: attribute === undefined ? null : "mail" };
  return mapSamlIdentity(config, identity).email;
}

test("An address in NameID or attribute that normalisation changes beyond ASCII case counts as absent (G304).", () => {
  expect(emailOf("Steve@Acme.test")).toBe("steve@acme.test");
  expect(emailOf("x", "Steve@B\u00FCcher.test")).toBe("steve@xn--bcher-kva.test");
  for (const asserted of ["\u017Fteve@acme.test", "steve@\u212Ac.test"]) {
    expect([emailOf(asserted), emailOf("x", asserted)]).toEqual([undefined, undefined]);
  }
});

test("Only a NameID that is an email address has a spelling without meaning (G394).", () => {
  const format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
  const addressOf = (nameId: string, nameIdFormat: string | null, config = {}) => {
    const attributes = [{ name: "mail", friendlyName: null, values: ["ada@acme.test"] }];
    const identity = {
      subject: nameId,
      nameId,
      nameIdFormat,
      attributes,
      authnContexts: [],
    } as unknown as SamlIdentity;
    return mapSamlIdentity({ ...DEFAULT_SAML_CONFIG, email_from: "mail", ...config }, identity).subjectAddress;
  };
  expect(addressOf("Eve@Acme.test", format)).toBe("eve@acme.test");
  expect(addressOf("ADA@acme.test", null)).toBe("ada@acme.test");
  for (const [nameId, config] of [
    ["Eve@Acme.test", {}],
    ["Ada", {}],
    ["ADA@acme.test", { subject_from: "uid" }],
  ] as const) {
    expect([nameId, addressOf(nameId, null, config)]).toEqual([nameId, undefined]);
  }
});
