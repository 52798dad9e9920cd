/** Generated messages that no identity provider signed, for properties of the verification. */
import fc from "fast-check";
import { encodeMessage } from "./message.ts";
import { PRESET_SHAPES, presetMessage } from "./presets.ts";

const NAMES = ["Response", "Assertion", "Signature", "SignedInfo", "Reference", "Subject", "NameID", "x", "Object"];
const NAMESPACES = [
  "urn:oasis:names:tc:SAML:2.0:protocol",
  "urn:oasis:names:tc:SAML:2.0:assertion",
  "http://www.w3.org/2000/09/xmldsig#",
  "urn:x",
  "relative",
];
const TEXTS = ["", "x", "&amp;", "&#0;", "&e;", "<!--c-->", "<?p?>", "<![CDATA[c]]>", "]]>", "\u0000", "\uD800", "é"];
const ATTRIBUTES = ['ID="_a"', 'Id="_a"', 'xml:id="_a"', 'Version="2.0"', 'URI="#_a"', 'Algorithm="x"', 'a="<"', "b"];

/** XML of the names of SAML, mostly well-formed. */
function tree(): fc.Arbitrary<string> {
  const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom(...NAMES),
        fc.constantFrom(...NAMESPACES),
        fc.subarray(ATTRIBUTES),
        fc.array(tie("content"), { maxLength: 4 }),
      )
      .map(([name, namespace, attributes, content]) => {
        return `<${name} xmlns="${namespace}" ${attributes.join(" ")}>${content.join("")}</${name}>`;
      }),
    content: fc.oneof({ depthSize: "small" }, fc.constantFrom(...TEXTS), tie("element")),
  }));
  return element;
}

let genuine: readonly Buffer[] | undefined;

/** Genuine messages with changed bytes: the values stay in the message, and its signature breaks. */
function changedBytes(): fc.Arbitrary<string> {
  genuine ??= PRESET_SHAPES.map((shape) => Buffer.from(presetMessage(shape)));
  return fc
    .tuple(
      fc.constantFrom(...genuine),
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 8,
      }),
    )
    .map(([bytes, changes]) => {
      const changed = Buffer.from(bytes);
      for (const [place, byte] of changes)
        changed[Math.min(changed.length - 1, Math.floor(place * changed.length))] = byte;
      return changed.equals(bytes) ? "" : changed.toString("base64");
    });
}

/** The form value `SAMLResponse`. */
export function samlInput(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 4096 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    tree().map(encodeMessage),
    { weight: 3, arbitrary: changedBytes() },
  );
}
