import { describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { systemClock } from "../../../../src/base/clock.ts";
import { loadMetadata, type MetadataDeps } from "../../../../src/flows/sso/connections/load-metadata.ts";
import { metadataChanges, settingsOfMetadata } from "../../../../src/flows/sso/connections/metadata-changes.ts";
import type { Bound } from "../../../../src/limits/bounds.ts";
import { SAML_WORKER_TIME_MS } from "../../../../src/limits/saml-limits.ts";
import type { IdpMetadata, SamlMetadataProblem } from "../../../../src/pool/saml-protocol.ts";
import { decodeMetadata } from "../../../../src/providers/saml/decode-metadata.ts";
import { readMetadata } from "../../../../workers/saml/idp-metadata.ts";
import { certificateChain, samlKey, samlKeys } from "../../../support/saml/keys.ts";
import { at, IDP, NOW } from "../../../support/saml/message.ts";
import { oddMetadata, productMetadata } from "../../../support/saml/product-metadata.ts";

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
  });
});

describe("certificates of metadata (G390)", () => {
  const dataOf = (...texts: string[]) =>
    `<KeyDescriptor><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>${texts
      .map((text) => `<ds:X509Certificate>${text}</ds:X509Certificate>`)
      .join("")}</ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
  const outcome = (keys: string) => {
    const found = read(entity({ keys }));
    return typeof found === "string" ? found : [found.certificates.map(({ pem }) => body(pem)), found.leftOut];
  };
  const good = body(samlKeys.idp().certificate);
  const sha256 = (pem: string) => new X509Certificate(pem).fingerprint256.replaceAll(":", "").toLowerCase();

  test("One unusable certificate never refuses the others: the reading names each certificate without use.", () => {
    const [short, elliptic] = [samlKeys.shortIdp().certificate, samlKeys.ellipticIdp().certificate];
    const unusable = `${dataOf("MIIB")}${dataOf("")}${keyDescriptor(short)}${keyDescriptor(elliptic)}`;
    expect(outcome(`${unusable}${IDP_KEY}`)).toEqual([
      [good],
      [
        { reason: "unreadable" },
        { reason: "unreadable" },
        { reason: "short_key", sha256: sha256(short), bits: 1024 },
        { reason: "key_type", sha256: sha256(elliptic) },
      ],
    ]);
    expect(outcome(unusable)).toBe("weak_key");
  });

  test("Of more than four certificates those that are valid longest are used.", () => {
    const days = [10, 400, 20, 300, 200, 100];
    const certificates = days.map((each) => samlKey(`valid-${each}`, ["rsa:2048"], each).certificate);
    const [kept, left] = outcome(certificates.map((each) => keyDescriptor(each)).join("")) as [string[], object[]];
    expect(kept).toEqual([1, 3, 4, 5].map((index) => body(certificates[index] ?? "")));
    expect(left).toEqual([0, 2].map((index) => ({ reason: "surplus", sha256: sha256(certificates[index] ?? "") })));
  });

  test("Of a chain in one X509Data the key of the authority is never used.", () => {
    const { leaf, authority } = certificateChain();
    for (const chain of [
      [leaf, authority],
      [authority, leaf],
    ]) {
      expect(outcome(dataOf(...chain.map(body)))).toEqual([[body(leaf)], []]);
    }
  });

  test("A frame of PEM, CDATA, missing padding, and copied invisible characters are read.", () => {
    const next = body(samlKeys.nextIdp().certificate);
    for (const text of [
      samlKeys.idp().certificate,
      `<![CDATA[${good}]]>`,
      good.replace(/=+$/, ""),
      `\u200b${good}`,
      good.replace(/(.{64})/g, "$1&#13;\n   "),
    ]) {
      expect([text.slice(0, 20), outcome(dataOf(text))]).toEqual([text.slice(0, 20), [[good], []]]);
    }
    for (const text of [`${samlKeys.idp().certificate}${samlKeys.nextIdp().certificate}`, `${good}${next}`]) {
      expect(outcome(dataOf(text))).toEqual([[good, next], []]);
    }
  });
});

describe("documents of metadata (G390)", () => {
  const declared = (declaration: string) => `${declaration}${entity()}`;

  test("Declared encodings of ASCII text, stylesheets, white space and times of XML Schema are read.", () => {
    const encodings = ["utf-8", "utf8", "US-ASCII", "ISO-8859-1", "windows-1252", "utf-16"];
    const documents = [
      ...encodings.map((encoding) => declared(`<?xml version="1.0" encoding="${encoding}"?>`)),
      declared('\ufeff<?xml version="1.0"?>'),
      declared("\n  <?xml version=\"1.0\" encoding='UTF-8'?>"),
      declared('<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="x.xsl"?>'),
      entity({ entityId: ` ${IDP} ` }),
      ...["2040-01-01T00:00:00+01:00", "2040-01-01T00:00:00", " 2040-01-01T00:00:00Z ", ""].map((validUntil) =>
        entity({ validUntil }),
      ),
    ];
    for (const xml of documents) {
      const found = read(xml, IDP);
      expect([xml.slice(0, 60), typeof found === "string" ? found : found.entityId]).toEqual([xml.slice(0, 60), IDP]);
    }
  });

  test("A time that has passed in its zone is expired.", () => {
    const passed = new Date(NOW - 60_000).toISOString().replace("Z", "+00:00");
    for (const validUntil of [passed, "2020-01-01T00:00:00", "2020-01-01T00:00:00-12:00"]) {
      expect(read(entity({ validUntil }))).toBe("expired");
    }
  });

  test("Documents of products are read with their certificates.", () => {
    for (const [product, xml] of Object.entries(productMetadata())) {
      const found = read(xml);
      const summary = typeof found === "string" ? found : [found.certificates.length, found.redirectUrl !== null];
      expect([product, summary]).toEqual([product, [1, true]]);
    }
  });

  test("Bytes are decoded by their byte order mark or declaration.", () => {
    const german = declared("").replace("<IDPSSODescriptor", "<Extensions>Müller</Extensions><IDPSSODescriptor");
    const text = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${german}`;
    const cases: [string, Buffer][] = [
      [text("ISO-8859-1"), Buffer.from(text("ISO-8859-1"), "latin1")],
      [text("utf-8"), Buffer.from(`\ufeff${text("utf-8")}`)],
      [text("utf-16"), Buffer.from(`\ufeff${text("utf-16")}`, "utf16le")],
      [text("utf-16"), Buffer.from(`\ufeff${text("utf-16")}`, "utf16le").swap16()],
      [german, Buffer.from(german)],
    ];
    for (const [wanted, bytes] of cases) expect(decodeMetadata(bytes)).toBe(wanted);
  });
});

describe("odd but legal metadata (G390)", () => {
  test("are read with the certificate, or the problem is named.", () => {
    const space = fc.constantFrom("", " ", "\n  ", "\t");
    const prefix = fc.constantFrom("", "md", "ns7");
    const unusable = fc.constantFrom("", "MIIB", "<!-- none -->", body(samlKeys.shortIdp().certificate));
    const form = fc.record({
      space,
      prefix,
      unusable: fc.array(unusable, { maxLength: 6 }),
      use: fc.constantFrom(' use="signing"', "", ' use=""', ' use=" signing "'),
      isLast: fc.boolean(),
      hasGood: fc.boolean(),
      extra: fc.constantFrom("", "<x xmlns='urn:x' a='1'><![CDATA[&]]></x>", "<?note x?>"),
    });
    fc.assert(
      fc.property(form, (shape) => {
        const found = read(oddMetadata(shape));
        const left = shape.unusable.length;
        if (!shape.hasGood) {
          const isWeak = shape.unusable.includes(body(samlKeys.shortIdp().certificate));
          return found === (isWeak ? "weak_key" : "no_certificate");
        }
        return typeof found !== "string" && found.certificates.length === 1 && found.leftOut.length === left;
      }),
      { numRuns: 150 },
    );
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
