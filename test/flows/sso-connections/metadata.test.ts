import { describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/base/clock.ts";
import { loadMetadata, type MetadataDeps } from "../../../src/flows/sso-connections/load-metadata.ts";
import { metadataChanges, settingsOfMetadata } from "../../../src/flows/sso-connections/metadata-changes.ts";
import type { Bound } from "../../../src/limits/bounds.ts";
import { SAML_WORKER_TIME_MS } from "../../../src/limits/saml-limits.ts";
import type { IdpMetadata, SamlMetadataProblem } from "../../../src/pool/saml-protocol.ts";
import { readMetadata } from "../../../workers/saml/idp-metadata.ts";
import { samlKeys } from "../../support/saml/keys.ts";
import { at, IDP, NOW } from "../../support/saml/message.ts";

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const body = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");
const keyDescriptor = (pem: string, use = ' use="signing"') =>
  `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
  ${body(pem).replace(/(.{64})/g, "$1\n")}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const service = (name: string, binding: string, path: string) =>
  `<${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="https://idp.acme.example/${path}"/>`;
const REDIRECT = service("SingleSignOnService", "HTTP-Redirect", "redirect");
const POST = service("SingleSignOnService", "HTTP-POST", "post");
const IDP_KEY = keyDescriptor(samlKeys.idp().certificate);

interface EntityOptions {
  readonly entityId?: string;
  readonly keys?: string;
  readonly services?: string;
  readonly protocol?: string;
  readonly validUntil?: string;
}

const entity = ({
  entityId = IDP,
  keys = IDP_KEY,
  services = REDIRECT,
  protocol = PROTOCOL,
  validUntil,
}: EntityOptions = {}) => {
  const attributes = `entityID="${entityId}"${validUntil === undefined ? "" : ` validUntil="${validUntil}"`}`;
  const descriptor = `<IDPSSODescriptor protocolSupportEnumeration="${protocol}">${keys}${services}</IDPSSODescriptor>`;
  const namespace = "urn:oasis:names:tc:SAML:2.0:metadata";
  return `<EntityDescriptor xmlns="${namespace}" ${attributes}>${descriptor}</EntityDescriptor>`;
};
const aggregate = (...entities: string[]) =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${entities.join("")}</EntitiesDescriptor>`;

function read(xml: string, entityId: string | null = null): IdpMetadata | SamlMetadataProblem {
  const result = readMetadata({ kind: "metadata", xml, entityId, now: NOW });
  return result.ok ? result.metadata : result.problem;
}

describe("metadata of identity providers", () => {
  test("give entity id, services and the certificates for signatures, each once", () => {
    const keys = [
      IDP_KEY,
      IDP_KEY,
      keyDescriptor(samlKeys.nextIdp().certificate, ""),
      keyDescriptor(samlKeys.service().certificate, ' use="encryption"'),
    ].join("");
    const slo = service("SingleLogoutService", "HTTP-POST", "slo");
    const metadata = read(`<?xml version="1.0"?><!-- x -->${entity({ keys, services: `${slo}${POST}${REDIRECT}` })}`);
    expect(metadata).toMatchObject({
      entityId: IDP,
      redirectUrl: "https://idp.acme.example/redirect",
      postUrl: "https://idp.acme.example/post",
      logoutRedirectUrl: null,
      logoutPostUrl: "https://idp.acme.example/slo",
    });
    const { certificates } = metadata as IdpMetadata;
    expect(certificates.map(({ pem }) => body(pem))).toEqual(
      [samlKeys.idp(), samlKeys.nextIdp()].map(({ certificate }) => body(certificate)),
    );
    expect(certificates.every(({ notAfter }) => notAfter > NOW)).toBe(true);
  });

  test("One entity of an aggregate is read by its id.", () => {
    const xml = aggregate(entity({ entityId: "urn:a" }), entity({ entityId: "urn:b", services: POST }));
    expect(read(xml, "urn:b")).toMatchObject({ entityId: "urn:b", redirectUrl: null });
    expect(read(xml)).toBe("several_entities");
    expect(read(xml, "urn:c")).toBe("unknown_entity");
  });

  test("Each flaw is named.", () => {
    const cases: [string, SamlMetadataProblem][] = [
      ["<x", "not_xml"],
      [`<!DOCTYPE x>${entity()}`, "not_xml"],
      [`${entity()}${" ".repeat(512 * 1024)}`, "too_large"],
      [aggregate(), "no_identity_provider"],
      [entity({ protocol: "urn:oasis:names:tc:SAML:1.1:protocol" }), "no_identity_provider"],
      [entity({ services: "" }), "no_sign_on_service"],
      [entity({ services: service("SingleSignOnService", "SOAP", "soap") }), "no_sign_on_service"],
      [entity({ keys: "" }), "no_certificate"],
      [entity({ keys: keyDescriptor("QQ==") }), "no_certificate"],
      [entity({ keys: keyDescriptor(samlKeys.shortIdp().certificate) }), "weak_key"],
      [entity({ keys: keyDescriptor(samlKeys.ellipticIdp().certificate) }), "weak_key"],
      [entity({ validUntil: at(-1) }), "expired"],
      [entity({ validUntil: "tomorrow" }), "expired"],
    ];
    for (const [xml, problem] of cases) expect([xml.slice(0, 80), read(xml)]).toEqual([xml.slice(0, 80), problem]);
    const keys = [samlKeys.idp, samlKeys.nextIdp, samlKeys.attacker, samlKeys.service, samlKeys.otherService];
    const five = keys.map((each) => keyDescriptor(each().certificate)).join("");
    expect(read(entity({ keys: five }))).toBe("too_many_certificates");
  });
});

describe("preview of an import", () => {
  const current = {
    entity_id: IDP,
    sso_url: "https://idp.acme.example/redirect",
    slo_url: null,
    request_binding: "redirect" as const,
    certificates: [samlKeys.idp().certificate],
  };

  test("has the changed fields; equal metadata have no effect", () => {
    const same = settingsOfMetadata(current, read(entity()) as IdpMetadata);
    expect(metadataChanges(current, same)).toEqual([]);
    const keys = `${IDP_KEY}${keyDescriptor(samlKeys.nextIdp().certificate)}`;
    const metadata = read(entity({ entityId: "urn:other", keys, services: POST })) as IdpMetadata;
    const [first, second] = metadata.certificates.map(({ sha256 }) => sha256);
    expect(metadataChanges(current, settingsOfMetadata(current, metadata))).toEqual([
      { field: "entity_id", from: IDP, to: "urn:other" },
      { field: "sso_url", from: current.sso_url, to: "https://idp.acme.example/post" },
      { field: "request_binding", from: "redirect", to: "post" },
      { field: "certificates", from: [first ?? ""], to: [first ?? "", second ?? ""] },
    ]);
  });

  test("keeps the binding of the connection where the identity provider supports the binding", () => {
    const metadata = read(entity({ services: `${REDIRECT}${POST}` })) as IdpMetadata;
    expect(settingsOfMetadata(current, metadata).request_binding).toBe("redirect");
    expect(settingsOfMetadata({ ...current, request_binding: "post" }, metadata).request_binding).toBe("post");
  });
});

describe("a full queue of the workers", () => {
  test("refuses metadata with the time to wait, and an expensive document is a flaw of the field.", async () => {
    const load = async (code: "deadline" | "queue_full", runMs: number) => {
      const samlPool = { run: async () => ({ ok: false, code, runMs }) as const, secondsToDrain: () => 3 };
      const source = { field: "xml", xml: "<EntityDescriptor/>" };
      const deps = { clock: systemClock, samlPool } as unknown as MetadataDeps;
      const loaded = await loadMetadata(deps, { organizationId: "", source, entityId: null });
      return loaded.ok ? undefined : loaded.error;
    };
    const bound: Bound = "saml_queue";
    expect(await load("queue_full", 0)).toMatchObject({ code: "rate_limited", bound });
    expect(await load("deadline", 0)).toMatchObject({ code: "rate_limited", bound });
    expect(await load("deadline", SAML_WORKER_TIME_MS)).toMatchObject({
      code: "invalid_input",
      fields: [{ field: "xml", rule: "too_long" }],
    });
  });
});
