/** Messages that are no XML, no response or too large, or have another structure than the schema. */
import { assertionOnly, both, breach, changed } from "./breach.ts";
import type { CorpusCase } from "./corpus.ts";
import { samlKeys } from "./keys.ts";
import { ALICE, assertionText, DEFAULT_PARTS, encodeMessage, responseText } from "./message.ts";
import { presetMessage } from "./presets.ts";
import { encrypt, sign } from "./sign.ts";
import { change, elementText, insertFirst, insertLast } from "./xml-text.ts";

export function malformedMessages(): CorpusCase[] {
  const genuine = presetMessage(assertionOnly);
  return [
    ...sizes(genuine),
    ...forms(genuine),
    ...hiddenText(genuine),
    ...structures(genuine),
    ...encryptions(genuine),
  ];
}

function sizes(genuine: string): CorpusCase[] {
  const extensions = (content: string) =>
    insertBeforeStatus(genuine, `<samlp:Extensions>${content}</samlp:Extensions>`);
  return [
    breach("Base64 above 256 KiB", "", "too_large", { job: { message: "A".repeat(256 * 1024 + 4) } }),
    breach("decoded above 192 KiB", `${genuine}${" ".repeat(192 * 1024)}`, "too_large"),
    breach("300 levels", extensions(`${"<x>".repeat(300)}${"</x>".repeat(300)}`), "too_large"),
    breach("5,000 elements", extensions("<x/>".repeat(5000)), "too_large"),
    breach(
      "5,000 attributes",
      extensions(`<x ${Array.from({ length: 64 }, (_, n) => `a${n}=""`).join(" ")}/>`.repeat(80)),
      "too_large",
    ),
    // A canonical form or a copy would have the name once for each element.
    breach(
      "a long namespace of many elements",
      extensions(`<x xmlns:n="urn:${"n".repeat(100_000)}">${"<n:x/>".repeat(4000)}</x>`),
      "too_large",
    ),
    // Members that every object of JavaScript inherits, or has beside the default namespace.
    ...["__proto__", "null", "undefined", "constructor"].map((prefix) =>
      breach(
        `a long namespace with the prefix ${prefix}`,
        extensions(`<x xmlns="urn:short"><${prefix}:x xmlns:${prefix}="urn:${"n".repeat(100_000)}"/></x>`),
        "too_large",
      ),
    ),
    breach(
      "a long default namespace",
      extensions(`<x xmlns="urn:${"n".repeat(300)}" xmlns:null="urn:x"/>`),
      "too_large",
    ),
    breach(
      "65 namespaces in scope",
      extensions(`<x ${Array.from({ length: 65 }, (_, n) => `xmlns:n${n}="urn:${n}"`).join(" ")}/>`),
      "too_large",
    ),
    // The escapes of a canonical form are longer than the characters.
    breach(
      "a long canonical form",
      presetMessage(assertionOnly, { attributes: [{ name: "x", values: [">".repeat(170_000)] }] }).replaceAll(
        "&gt;",
        ">",
      ),
      "signature",
    ),
    breach(
      "65 attributes",
      extensions(`<x ${Array.from({ length: 65 }, (_, n) => `a${n}=""`).join(" ")}/>`),
      "too_large",
    ),
  ];
}

function forms(genuine: string): CorpusCase[] {
  const raw = (name: string, message: string) => breach(name, "", "not_xml", { job: { message } });
  return [
    raw("empty", ""),
    raw("no Base64", "<not base64>"),
    raw("Base64url", Buffer.from([251, 255, 254]).toString("base64url").padEnd(8, "-_")),
    raw("Base64 without padding", "PHg+PC94P"),
    raw(
      "bytes that are no UTF-8",
      Buffer.from([...Buffer.from("<x>"), 0xc3, 0x28, ...Buffer.from("</x>")]).toString("base64"),
    ),
    raw("UTF-16", Buffer.from(genuine, "utf16le").toString("base64")),
    raw("a NUL character", encodeMessage(genuine.replace(ALICE, `${ALICE}\0.evil`))),
    raw("JSON", encodeMessage('{"SAMLResponse":true}')),
    raw("not well-formed", encodeMessage(genuine.slice(0, -1))),
    raw("two roots", encodeMessage(genuine.repeat(2))),
    breach("another encoding", `<?xml version="1.0" encoding="UTF-16"?>${genuine}`, "not_xml"),
    breach(
      "another encoding of characters beyond ASCII",
      `<?xml version="1.0" encoding="ISO-8859-1"?>${change(genuine, `>${ALICE}<`, ">\u00fc<")}`,
      "not_xml",
    ),
    breach("XML 1.1", `<?xml version="1.1"?>${genuine}`, "not_xml"),
    breach("a document type", `<!DOCTYPE x>${genuine}`, "not_xml"),
    breach("an internal subset", `<!DOCTYPE x [<!ENTITY a "b">]>${genuine}`, "not_xml"),
    breach("an external subset", `<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x">${genuine}`, "not_xml"),
    breach(
      "an ID attribute by a document type",
      `<!DOCTYPE x [<!ATTLIST saml:Subject Id ID "_assertion1">]>${genuine}`,
      "not_xml",
    ),
    breach("exponential entities", `<!DOCTYPE x [${entities()}]>${change(genuine, `>${ALICE}<`, ">&e9;<")}`, "not_xml"),
    breach("an undeclared entity", change(genuine, `>${ALICE}<`, ">&nbsp;<"), "not_xml"),
    ...["<\u{10000}x/>", '<x \u{10000}x=""/>', '<\u{10000}x:x xmlns:\u{10000}x="urn:x"/>'].map((name) =>
      breach(
        `a name beyond the Basic Multilingual Plane: ${name}`,
        insertBeforeStatus(genuine, `<samlp:Extensions>${name}</samlp:Extensions>`),
        "not_xml",
      ),
    ),
    breach("an assertion as root", elementText(genuine, "Assertion"), "not_xml"),
    breach("a LogoutResponse", genuine.replaceAll("samlp:Response", "samlp:LogoutResponse"), "not_xml"),
    breach("a response of SAML 1.1", change(genuine, 'Version="2.0"', 'Version="1.1"'), "not_xml"),
    breach("a response in another namespace", change(genuine, "SAML:2.0:protocol", "SAML:1.0:protocol"), "not_xml"),
  ];
}

function entities(): string {
  const levels = Array.from({ length: 10 }, (_, level) => level);
  return levels.map((level) => `<!ENTITY e${level} "${level === 0 ? "x" : `&e${level - 1};`.repeat(10)}">`).join("");
}

/** Text that parsers read differently while the signature stays valid. */
function hiddenText(genuine: string): CorpusCase[] {
  const inside = (hidden: string) => change(genuine, `>${ALICE}<`, `>ali${hidden}ce@acme.example<`);
  return [
    breach("a comment inside the NameID", inside("<!-- x -->"), "not_xml"),
    breach("a comment inside the assertion", insertFirst(genuine, "Subject", "<!-- x -->"), "not_xml"),
    breach("a comment inside SignatureValue", insertFirst(genuine, "SignatureValue", "<!-- x -->"), "not_xml"),
    breach("a comment inside a signed response", insertFirst(presetMessage(both), "Status", "<!-- x -->"), "not_xml"),
    breach("a processing instruction inside the NameID", inside("<?x y?>"), "not_xml"),
    breach("a processing instruction that is none", inside("<?p not-an-?>"), "not_xml"),
    breach("a processing instruction before the root", `<?x y?>${genuine}`, "not_xml"),
    breach("a processing instruction behind the root", `${genuine}<?x y?>`, "not_xml"),
    breach("CDATA in the NameID", inside("<![CDATA[]]>"), "not_xml"),
    breach("CDATA around the NameID", change(genuine, `>${ALICE}<`, `><![CDATA[${ALICE}]]><`), "not_xml"),
    breach("CDATA in an attribute value", change(genuine, ">alice<", "><![CDATA[alice]]><"), "not_xml"),
  ];
}

function structures(genuine: string): CorpusCase[] {
  const signature = elementText(genuine, "Signature");
  const resign = (assertion: string) => sign(responseText(DEFAULT_PARTS, assertion), "Assertion");
  const plain = assertionText(DEFAULT_PARTS);
  const statement = elementText(plain, "AuthnStatement");
  return [
    breach("no assertion", change(genuine, elementText(genuine, "Assertion"), ""), "structure"),
    breach(
      "two signed assertions",
      insertLast(
        genuine,
        "Response",
        elementText(
          sign(
            responseText(DEFAULT_PARTS, assertionText({ ...DEFAULT_PARTS, assertionId: "_assertion2" })),
            "Assertion",
          ),
          "Assertion",
        ),
      ),
      "structure",
    ),
    breach("an unknown element in the response", insertLast(genuine, "Response", "<x/>"), "structure"),
    breach(
      "an unknown attribute of the response",
      change(genuine, "<samlp:Response ", '<samlp:Response Role="x" '),
      "structure",
    ),
    breach("text in the response", insertLast(genuine, "Response", "text"), "structure"),
    breach("the response without an ID", change(genuine, / ID="_response1"/, ""), "structure"),
    breach(
      "the issuer removed from a signed response",
      change(presetMessage(both), /<saml:Issuer [\s\S]*?<\/saml:Issuer>/, ""),
      "signature",
    ),
    breach("the response without a status", change(genuine, /<samlp:Status>[\s\S]*<\/samlp:Status>/, ""), "structure"),
    breach(
      "one ID for response and assertion",
      resign(plain).replace('ID="_response1"', 'ID="_assertion1"'),
      "structure",
    ),
    breach("an ID with a quote", presetMessage(assertionOnly).replace('ID="_response1"', 'ID="a\'b"'), "structure"),
    // Outside of the signature, so that every employee could write these into the own response.
    ...['id="_assertion1"', 'xmlns:x="urn:x" x:ID="_assertion1"', 'xmlns:x="urn:x" x:Id="_assertion1"'].map((id) =>
      breach(
        `another element with ${id}`,
        insertBeforeStatus(genuine, `<samlp:Extensions><y ${id}/></samlp:Extensions>`),
        "structure",
      ),
    ),
    breach("xml:id in the response", change(genuine, "<samlp:Status>", '<samlp:Status xml:id="_x">'), "structure"),
    breach(
      "ds:Object in the signature",
      change(genuine, signature, insertLast(signature, "Signature", "<ds:Object/>")),
      "structure",
    ),
    breach("an Id of the signature", change(genuine, "<ds:Signature ", '<ds:Signature Id="_s" '), "structure"),
    breach(
      "a signature inside Extensions",
      insertBeforeStatus(genuine, `<samlp:Extensions>${signature}</samlp:Extensions>`),
      "structure",
    ),
    breach("no AuthnStatement", resign(plain.replace(statement, "")), "structure"),
    breach("no Subject", resign(plain.replace(elementText(plain, "Subject"), "")), "structure"),
    breach("no SubjectConfirmation", resign(plain.replace(elementText(plain, "SubjectConfirmation"), "")), "structure"),
    breach(
      "the elements in another order",
      resign(`${plain.replace(statement, "").replace("<saml:Subject>", `${statement}<saml:Subject>`)}`),
      "structure",
    ),
    breach(
      "two subjects",
      resign(plain.replace("<saml:Conditions", `${elementText(plain, "Subject")}<saml:Conditions`)),
      "structure",
    ),
    breach("a NameID with elements", resign(plain.replace(ALICE, `${ALICE}<b/>`)), "structure"),
    changed("an assertion of SAML 1.1", { version: "1.1" }, "not_xml"),
    breach(
      "a relative namespace in the assertion",
      change(genuine, "<saml:Subject>", '<saml:Subject xmlns:x="relative">'),
      "signature",
    ),
    breach(
      "a relative namespace in the response",
      change(genuine, "<samlp:Status>", '<samlp:Status xmlns:x="relative">'),
      "signature",
    ),
    breach(
      "another prefix for the namespace",
      genuine.replace("<saml:Subject>", '<saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:1.0:assertion">'),
      "structure",
    ),
  ];
}

function encryptions(genuine: string): CorpusCase[] {
  const required = { encryptedAssertions: "required", decryptionKeys: [samlKeys.service().key] } as const;
  const encrypted = responseText(DEFAULT_PARTS, encrypt(sign(assertionText(DEFAULT_PARTS), "Assertion")));
  const commented = sign(assertionText(DEFAULT_PARTS), "Assertion").replace(
    "<saml:Subject>",
    "<!-- x --><saml:Subject>",
  );
  return [
    breach("an assertion in clear text", genuine, "decryption", { trust: required }),
    breach("an encrypted assertion, not expected", encrypted, "decryption"),
    breach("no key of the service", encrypted, "decryption", { trust: { ...required, decryptionKeys: [] } }),
    breach("a comment inside", responseText(DEFAULT_PARTS, encrypt(commented)), "decryption", { trust: required }),
    breach(
      "only the response around the encrypted assertion is signed",
      sign(responseText(DEFAULT_PARTS, encrypt(assertionText(DEFAULT_PARTS))), "Response"),
      "signature",
      { trust: required },
    ),
  ];
}

function insertBeforeStatus(xml: string, text: string): string {
  return change(xml, "<samlp:Status>", `${text}<samlp:Status>`);
}
