/** Texts as messages in ICU MessageFormat: fallback, reading at first use, numbers, quotation (G139). */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MessageValues, messageCatalogue, messageText } from "../../src/base/message-catalogue.ts";

interface SampleTexts {
  readonly area: {
    readonly title: string;
    readonly greeting: (values: { readonly name: string }) => string;
    readonly keys: (values: { readonly count: number }) => string;
    readonly steps: readonly string[];
  };
  readonly other: { readonly inner: { readonly title: string } };
}

const ENGLISH = {
  area: {
    title: "Title",
    greeting: "Hello {name}",
    keys: "{count, plural, one {# key} other {# keys}}",
    steps: ["one", "two"],
  },
  other: { inner: { title: "Inner" } },
};

const folder = mkdtempSync(join(tmpdir(), "messages-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (language: string, messages: object) =>
  writeFileSync(join(folder, `${language}.json`), JSON.stringify(messages));

const format = (message: string, values: MessageValues, language: "en" | "pl" | "ja" = "en") => {
  const text = messageText(message, language, message);
  return typeof text === "string" ? text : text(values);
};

test("A text that a language lacks is the English text, with the plural forms and the numbers of English.", () => {
  write("en", ENGLISH);
  write("pl", { area: { title: "Tytuł", steps: ["jeden"] }, other: "no area" });
  const { area, other } = messageCatalogue<SampleTexts>(folder, messageText).pl;
  expect([area.title, area.greeting({ name: "Ada" }), area.keys({ count: 12_345 })]).toEqual([
    "Tytuł",
    "Hello Ada",
    "12,345 keys",
  ]);
  expect([area.steps, other.inner.title]).toEqual([["jeden", "two"], "Inner"]);
});

test("A file is read at the first use of its language, and an area keeps its texts.", () => {
  write("en", ENGLISH);
  const catalogue = messageCatalogue<SampleTexts>(folder, messageText);
  expect(() => catalogue.de).toThrow("de.json");
  write("de", { area: { title: "Titel" } });
  const { area } = catalogue.de;
  write("de", { area: { title: "Überschrift" } });
  expect([catalogue.de.area.title, catalogue.de.area === area]).toEqual(["Titel", true]);
});

test("A text has the form, the digits and the groups of a number in its language.", () => {
  const polish = "{count, plural, one {# klucz} few {# klucze} many {# kluczy} other {# klucza}}";
  expect([1, 2, 5, 22, 12].map((count) => format(polish, { count }, "pl"))).toEqual([
    "1 klucz",
    "2 klucze",
    "5 kluczy",
    "22 klucze",
    "12 kluczy",
  ]);
  expect(format("{count, plural, one {# key} other {# keys}}", { count: 1204 })).toBe("1,204 keys");
  expect(format("{count, plural, other {キー#件}}", { count: 1 }, "ja")).toBe("キー1件");
  expect(format("{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", { place: 22 })).toBe("22nd");
  expect(format("Page {page}", { page: 1204 })).toBe("Page 1204");
});

test("Apostrophes, quoted braces and markup are plain text, and a value is no message.", () => {
  expect(format("We can't read <b>the</b> file", {})).toBe("We can't read <b>the</b> file");
  expect(format("Type '{' or ''", {})).toBe("Type { or '");
  expect(format("''{name}'' {other}", { name: "{x}", other: "#'{" })).toBe("'{x}' #'{");
  expect(format("{count, plural, other {# of {name}}}", { count: 3, name: "# {x}" })).toBe("3 of # {x}");
});
