/** Attacks on the encryption of assertions: padding oracles, foreign keys, unsigned content. */
import type { SamlReason } from "../../../src/pool/saml-protocol.ts";
import type { CorpusCase } from "./corpus.ts";
import { samlKeys } from "./keys.ts";
import { ALICE, assertionText, DEFAULT_PARTS, responseText } from "./message.ts";
import { type EncryptOptions, encrypt, sign } from "./sign.ts";

const TRUST = { encryptedAssertions: "required", decryptionKeys: [samlKeys.service().key] } as const;

function message(assertion: string, options: EncryptOptions = {}): string {
  return responseText(DEFAULT_PARTS, encrypt(assertion, options));
}

const flip = (position: number) => (content: Buffer) => {
  const index = position < 0 ? content.length + position : position;
  content.writeUInt8((content.at(index) ?? 0) ^ 1, index);
  return content;
};

export function encryptionForgeries(): CorpusCase[] {
  const signed = sign(assertionText(DEFAULT_PARTS), "Assertion");
  const unsigned = assertionText({ ...DEFAULT_PARTS, nameId: "admin@acme.example" });
  const foreign = sign(unsigned, "Assertion", { key: samlKeys.attacker() });
  const forgery = (name: string, xml: string, ...reasons: SamlReason[]): CorpusCase => ({
    kind: "forgery",
    name: `encryption: ${name}`,
    xml,
    trust: TRUST,
    reasons,
  });
  const decryption = (name: string, xml: string) => forgery(name, xml, "decryption");
  // The ciphertext of CBC is malleable: each of these would be a query of a padding oracle.
  const oracles = (["aes128-cbc", "aes256-cbc"] as const).flatMap((cipher) => [
    decryption(`${cipher} outside a signed response`, message(signed, { cipher })),
    ...[0, 15, 16, -1, -16, -17].map((position) =>
      decryption(`${cipher} with a changed byte ${position}`, message(signed, { cipher, change: flip(position) })),
    ),
    decryption(
      `${cipher} without the last block`,
      message(signed, { cipher, change: (bytes) => bytes.subarray(0, -16) }),
    ),
  ]);
  const tags = (["aes128-gcm", "aes256-gcm"] as const).flatMap((cipher) => [
    ...[0, 12, -1, -16].map((position) =>
      decryption(`${cipher} with a changed byte ${position}`, message(signed, { cipher, change: flip(position) })),
    ),
    decryption(`${cipher} with a short tag`, message(signed, { cipher, change: (bytes) => bytes.subarray(0, -4) })),
    decryption(`${cipher} without content`, message(signed, { cipher, change: (bytes) => bytes.subarray(0, 12) })),
  ]);
  return [
    ...oracles,
    ...tags,
    decryption("RSA PKCS #1 1.5", message(signed, { transport: "rsa-1_5" })),
    decryption("RSA PKCS #1 1.5 beside", message(signed, { transport: "rsa-1_5", place: "beside" })),
    decryption(
      "two keys",
      message(signed, { place: "beside" }).replace(
        /<xenc:EncryptedKey[\s\S]*<\/xenc:EncryptedKey>/,
        (key) => `${key}${key.replace("_key1", "_key2")}`,
      ),
    ),
    decryption("a reference to another key", message(signed, { place: "referenced" }).replace("#_key1", "#_key2")),
    decryption(
      "SHA-256 with the mask of SHA-1",
      message(signed, { transport: "rsa-oaep" }).replace("mgf1sha256", "mgf1sha1"),
    ),
    forgery("an unsigned assertion, the key beside", message(unsigned, { place: "beside" }), "signature"),
    forgery("a foreign key, RSA-OAEP 1.1", message(foreign, { transport: "rsa-oaep" }), "key"),
    decryption("for another key", message(signed, { recipient: samlKeys.otherService() })),
    decryption("no XML inside", message("not an assertion")),
    decryption("two assertions inside", message(`${signed}${unsigned}`)),
    decryption("another element inside", message("<x/>")),
    decryption("a response inside", message(responseText(DEFAULT_PARTS, signed))),
    forgery("an unsigned assertion inside", message(unsigned), "signature"),
    forgery("an assertion of a foreign key inside", message(foreign), "key"),
    forgery("a changed assertion inside", message(signed.replace(ALICE, "admin@acme.example")), "signature"),
    forgery(
      "two encrypted assertions",
      message(signed).replace(/(<saml:EncryptedAssertion[\s\S]*<\/saml:EncryptedAssertion>)/, "$1$1"),
      "structure",
    ),
    forgery(
      "an unsigned assertion beside the encrypted",
      message(signed).replace("</samlp:Response>", `${unsigned}</samlp:Response>`),
      "structure",
    ),
  ];
}
