/** Readers of text by other parties take a time proportional to the length of the text (docs/guarantees.md, G415). */
import { expect, test } from "bun:test";
import { certificatesIn } from "../../src/base/certificate-text.ts";
import { cleanText } from "../../src/base/stored-text.ts";
import { usableSettings } from "../../src/flows/oauth/clients/usable-settings.ts";
import { trimmedText } from "../../workers/saml/elements.ts";
import { readMetadata } from "../../workers/saml/idp-metadata.ts";

const LENGTH = 1_000_000;
/** The square of the length takes hours; a busy machine stays below. */
const LINEAR_WITHIN_MS = 3_000;
const spaces = " ".repeat(LENGTH);
const element = { namespace: "", name: "Issuer", text: `x${spaces}x`, attributes: [], children: [] };

const READERS: readonly [string, () => unknown][] = [
  ["spaces in a stored text", () => cleanText(`a${spaces}b`)],
  ["line breaks in a stored text", () => cleanText(`a${"\n".repeat(LENGTH)}b`)],
  ["elements without an end in a certificate", () => certificatesIn("<X509Certificate ".repeat(LENGTH / 20))],
  ["spaces in an element of SAML", () => trimmedText(element as never)],
  [
    "spaces in the name of a client",
    () =>
      usableSettings({
        name: `a${spaces}b`,
        redirectUris: [],
        postLogoutRedirectUris: [],
        logoUrl: null,
        policyUri: null,
        tosUri: null,
        clientUri: null,
      } as never),
  ],
  [
    "instructions without an end in metadata",
    () => readMetadata({ xml: "<?".repeat(LENGTH / 4), entityId: undefined, now: 0 } as never),
  ],
];

test.each(READERS)("%s cost no more than the length (G415)", (_, read) => {
  const startedAt = performance.now();
  read();
  expect(performance.now() - startedAt).toBeLessThan(LINEAR_WITHIN_MS);
});

test.each([
  ["a  b", "a  b"],
  ["a \n\t b", "a b"],
  [" a\r\n", "a"],
  ["a\u2028b", "a b"],
])("the text %j is stored as %j", (text, stored) => {
  expect(cleanText(text)).toBe(stored);
});
