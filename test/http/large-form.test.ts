/** Forms with large values, decoded by the worker: the fields are those of the decoder of the runtime. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseLargeForm } from "../../src/http/input/large-form.ts";
import { FORM_FIELDS_MAX, FORM_TEXT_MAX_BYTES } from "../../src/limits/body-limits.ts";
import { formText } from "../../workers/saml/form-value.ts";

const NAMES = ["SAMLResponse", "RelayState", ""] as const;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const formOf = (body: string) => parseLargeForm(bytesOf(body));
const decoded = (body: string, name: string) => {
  const value = formOf(body)?.encoded(name);
  return value && formText(value);
};

describe("A form with large values", () => {
  test.each([
    ["SAMLResponse=one&SAMLResponse=two", "one"],
    ["%53AMLResponse=one", "one"],
    ["%53%41%4D%4c%52%65%73%70%6f%6e%73%65=a%2Bb%3D", "a+b="],
    ["RelayState=x&&SAMLResponse=a=b", "a=b"],
    ["SAMLResponse", ""],
    ["SAMLResponse=", ""],
    ["SAMLResponse=a+b", "a b"],
    ["SAMLResponse=%0D%0Aa%", "\r\na%"],
    ["SAMLResponse=a%2", "a%2"],
    ["SAMLResponse=%zz%2g%%41", "%zz%2g%A"],
    ["samlresponse=one", undefined],
    ["%2553AMLResponse=one", undefined],
    ["", undefined],
  ])("%p has the value %p.", (body, value) => {
    expect(decoded(body, "SAMLResponse")).toBe(value as string);
    expect(new URLSearchParams(body).get("SAMLResponse") ?? undefined).toBe(value as string);
  });

  test("has the fields that the decoder of the runtime reads, for any text.", () => {
    const piece = fc.constantFrom(..."&=+%?", "%53", "%2B", "%26", "%3D", "%C3%A9", "%ff", "é", "a", ...NAMES);
    const bodies = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(bodies, (body) => {
        // The runtime drops a leading question mark, as of the query of a URL.
        const theirs = new URLSearchParams(`&${body}`);
        const form = formOf(`&${body}`);
        for (const name of NAMES.slice(0, 2)) {
          const value = theirs.get(name) ?? undefined;
          expect(form?.text(name)).toBe(value as string);
          const isAscii = value !== undefined && /^[\0-\x7f]*$/.test(value);
          if (isAscii) expect(decoded(`&${body}`, name)).toBe(value);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("reads every byte of a value.", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const plain = bytes.filter((byte) => byte !== 0x25 && byte !== 0x2b);
    expect(formText(plain)).toBe(Buffer.from(plain).toString("latin1"));
    const escaped = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    expect(formText(bytesOf(escaped))).toBe(Buffer.from(bytes).toString("latin1"));
  });

  test("is refused beyond the number of fields, and leaves out long names and texts.", () => {
    expect(formOf("&".repeat(FORM_FIELDS_MAX - 1))).toBeDefined();
    expect(formOf("&".repeat(FORM_FIELDS_MAX))).toBeUndefined();
    expect(formOf(`${"n".repeat(1_000)}=a&RelayState=b`)?.text("RelayState")).toBe("b");
    expect(formOf(`RelayState=${"r".repeat(FORM_TEXT_MAX_BYTES)}`)?.text("RelayState")).toHaveLength(
      FORM_TEXT_MAX_BYTES,
    );
    expect(formOf(`RelayState=${"r".repeat(FORM_TEXT_MAX_BYTES + 1)}`)?.text("RelayState")).toBeUndefined();
  });
});
