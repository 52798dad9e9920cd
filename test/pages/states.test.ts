/**
 * Pages in their states: status, accessibility, width. Each day checks a fifth of the states, so that the suite stays
 * short; `npm run test:pages-matrix` checks all states in all languages.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/base/languages.ts";
import { overflowOf } from "../page-states/checks.ts";
import { type Demo, startDemo } from "../page-states/demo.ts";
import { StateReaders } from "../page-states/readers.ts";
import { CHECKED_STATES } from "../page-states/states.ts";

const START_DEADLINE_MS = 300_000;
const DAY_MS = 86_400_000;
const TURNS = 5;
/** The layouts of a phone, of a tablet and of a window. */
const WIDTHS = [1280, 820, 320];

let demo: Demo;
let readers: StateReaders;
beforeAll(async () => {
  demo = await startDemo();
  readers = new StateReaders(demo);
}, START_DEADLINE_MS);
afterAll(async () => {
  await readers.close();
  await demo.stop();
});

test(
  "the states of the day are accessible on a phone and never scroll sideways, each in one of the languages",
  async () => {
    const found: string[] = [];
    const day = Math.floor(Date.now() / DAY_MS);
    const states = CHECKED_STATES.filter((_, index) => (index + day) % TURNS === 0);
    for (const [index, state] of states.entries()) {
      const language = LANGUAGES[(index + day) % LANGUAGES.length] ?? "en";
      const reader = await readers.open(state, language);
      const wrong = [...(await overflowOf(reader, WIDTHS)), ...(await reader.violations()), ...reader.offences];
      found.push(...wrong.map((each) => `${state.name} in ${language}: ${each}`));
      await readers.leave(state);
    }
    expect(found).toEqual([]);
  },
  START_DEADLINE_MS,
);
