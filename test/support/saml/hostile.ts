/**
 * Responses of an attacker that cost the worker as much as the bounds of a document permit. Each has the form of a
 * signed response, and a signature by a foreign key, so that every check before the key runs.
 */
import type { SamlReason } from "../../../src/pool/saml-protocol.ts";
import { samlKeys } from "./keys.ts";
import { assertionText, DEFAULT_PARTS, responseText } from "./message.ts";
import { sign } from "./sign.ts";
import { change } from "./xml-text.ts";

export interface HostileMessage {
  readonly name: string;
  readonly xml: string;
  readonly reason: SamlReason;
}

/** Elements that fit beside the elements of a response: each counts as an element and as a child. */
const ELEMENTS = 2_300;
const LEVELS = 240;
const ATTRIBUTES = 64;
/** Characters that fit beside the elements of a response. */
const CHARACTERS = 180 * 1024;

export function hostileMessages(): readonly HostileMessage[] {
  const prefixes = Array.from({ length: 10 }, (_, index) => `absent${index}`);
  const declared = Array.from({ length: 50 }, (_, index) => ` xmlns:d${index}="urn:declared:${index}"`).join("");
  const signatures = '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>';
  return [
    signed("wide", value("<e/>".repeat(ELEMENTS))),
    signed("deep", value(nested(LEVELS, "<e/>".repeat(ELEMENTS - LEVELS)))),
    signed("attributes", value(`<e${attributes(ATTRIBUTES)}/>`.repeat((2 * ELEMENTS) / (ATTRIBUTES + 2)))),
    signed("escapes", value("&gt;".repeat(CHARACTERS / 5))),
    signed("declarations", change(value("<e/>".repeat(ELEMENTS)), "<saml:Assertion ", `<saml:Assertion${declared} `), {
      inclusivePrefixes: prefixes,
    }),
    {
      name: "signatures in every level",
      reason: "structure",
      xml: value(nested(LEVELS, "<e/>".repeat(ELEMENTS - 3 * LEVELS), signatures)),
    },
    { name: "a long namespace for every element", reason: "too_large", xml: longNamespaces("<n:e/>".repeat(ELEMENTS)) },
    { name: "attributes beyond the bound", reason: "too_large", xml: value(`<e${attributes(2 * ELEMENTS)}/>`) },
    { name: "an error at the end", reason: "not_xml", xml: `${value("<e/>".repeat(ELEMENTS))}<` },
    { name: "elements beyond the bound", reason: "too_large", xml: value("<e/>".repeat(CHARACTERS / 4)) },
    { name: "levels beyond the bound", reason: "too_large", xml: value(nested(CHARACTERS / 7, "")) },
  ];
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` a${index}=""`).join("");
}

function signed(name: string, xml: string, options: Parameters<typeof sign>[2] = {}): HostileMessage {
  return { name, reason: "key", xml: sign(xml, "Assertion", { key: samlKeys.attacker(), keyInfo: false, ...options }) };
}

/** A response with an attribute value. */
function value(content: string): string {
  const attributes = [{ name: "hostile", values: [content] }];
  return responseText(DEFAULT_PARTS, assertionText({ ...DEFAULT_PARTS, attributes }));
}

function nested(levels: number, content: string, beside = ""): string {
  return `${`<e>${beside}`.repeat(levels)}${content}${"</e>".repeat(levels)}`;
}

function longNamespaces(content: string): string {
  const room = CHARACTERS - content.length;
  return change(value(content), "<samlp:Response ", `<samlp:Response xmlns:n="urn:${"n".repeat(room)}" `);
}
