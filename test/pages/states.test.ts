/**
 * Pages in their states: status, accessibility, width. Languages, themes and layouts take turns, and axe leaves
 * out further states without a new kind of element, so that the suite stays short; `npm run test:pages-matrix` checks
 * all of every state.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/vocabulary/languages.ts";
import { JOURNEYS } from "../page-journeys/journeys.ts";
import { findingsOf } from "../page-journeys/run.ts";
import { elementKinds, overflowOf, shadowedFields, touchingButtons, unfold } from "../page-states/checks.ts";
import { CopiedPage } from "../page-states/copied-page.ts";
import { type Demo, startDemo } from "../page-states/demo.ts";
import { StateReaders } from "../page-states/readers.ts";
import { CHECKED_STATES } from "../page-states/states.ts";

const START_DEADLINE_MS = 300_000;
/** The layouts of a phone, of a tablet and of a window. */
const [PHONE, TABLET, WINDOW] = [320, 820, 1280];
const WIDE = [WINDOW, TABLET];

let demo: Demo;
let readers: StateReaders;
let copied: CopiedPage;
beforeAll(async () => {
  demo = await startDemo();
  readers = new StateReaders(demo);
  copied = await CopiedPage.at(demo.origin);
}, START_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await copied.reader.close();
  await demo.stop();
});

const THEMES = ["light", "dark"] as const;

test(
  "every page never scrolls sideways and has no touching buttons in any state, and is accessible with every element",
  async () => {
    const found: string[] = [];
    const judged = new Set<string>();
    for (const [index, state] of CHECKED_STATES.entries()) {
      const language = LANGUAGES[index % LANGUAGES.length] ?? "en";
      const reader = await readers.open(state, language);
      await unfold(reader);
      const theme = THEMES[index % THEMES.length] ?? "light";
      const copy = await copied.display(reader);
      const wide = await overflowOf(copy, [WIDE[index % WIDE.length] ?? WINDOW, PHONE]);
      const shadowed = await shadowedFields(copy);
      const touching = await touchingButtons(copy);
      const kinds = [state.page, ...(await elementKinds(copy))];
      const isNew = kinds.some((kind) => !judged.has(kind));
      for (const kind of kinds) judged.add(kind);
      const violations = isNew ? await copy.violations([theme]) : [];
      const wrong = [...wide, ...shadowed, ...touching, ...violations, ...reader.offences];
      found.push(...wrong.map((each) => `${state.name} in ${language}: ${each}`));
      await readers.leave(state);
    }
    expect(found).toEqual([]);
  },
  START_DEADLINE_MS,
);

test("a copied page has the violations and the width of its original", async () => {
  const [state] = CHECKED_STATES;
  if (!state) throw new Error("no state");
  const reader = await readers.open(state, "en");
  await reader.page.evaluate(`
    document.querySelector("label").remove();
    document.querySelector("h1").textContent = "x".repeat(200);
    document.querySelector("h1").style.whiteSpace = "nowrap";`);
  const copy = await copied.display(reader);
  expect((await copy.violations(["light"])).join()).toContain("label");
  expect((await overflowOf(copy, [PHONE])).join()).toContain("px");
});

test("a reader with text of twice the size and forced colours signs in with two steps at 320 px", async () => {
  const journey = JOURNEYS.find(({ name }) => name === "sign-in");
  expect(journey && (await findingsOf(demo, journey))).toEqual([]);
});
