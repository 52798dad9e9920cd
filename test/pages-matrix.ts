/**
 * `npm run test:pages-matrix [-- --languages=en,de --only=<parts of names>]` checks every page in every state and
 * language: axe in both themes on a phone and in a window, and ten widths. The suite has a part of the matrix
 * (test/pages/states.test.ts).
 */
import type { Language } from "../src/vocabulary/languages.ts";
import { overflowOf, unfold, violationsOf, WIDTHS } from "./page-states/checks.ts";
import { chosenIn } from "./page-states/choice.ts";
import { CopiedPage } from "./page-states/copied-page.ts";
import { startDemo } from "./page-states/demo.ts";
import type { PageState } from "./page-states/page-state.ts";
import { StateReaders } from "./page-states/readers.ts";
import { CHECKED_STATES } from "./page-states/states.ts";
import { stopServices } from "./support/services.ts";

const { languages, named: states, widths } = chosenIn(process.argv.slice(2), { named: CHECKED_STATES, widths: WIDTHS });
let violations = 0;
for (const language of languages) {
  const found = await violationsIn(language);
  for (const each of found) console.log(`${language} ${each}`);
  console.log(`${language}: ${states.length} pages, ${found.length} violations`);
  violations += found.length;
}
await stopServices();
process.exit(violations === 0 ? 0 : 1);

/** Each language has a demo of its own: states create keys and links up to a limit, and access tokens expire. */
async function violationsIn(language: Language): Promise<string[]> {
  const demo = await startDemo();
  const readers = new StateReaders(demo);
  const copied = await CopiedPage.at(demo.origin);
  const found: string[] = [];
  for (const state of states) {
    const violationsOfState = await check(state).catch((error: unknown) => [String(error)]);
    found.push(...violationsOfState.map((violation) => `${state.name}: ${violation}`));
    await readers.leave(state);
  }
  await readers.close();
  await copied.reader.close();
  await demo.stop();
  return found;

  async function check(state: PageState): Promise<string[]> {
    const reader = await readers.open(state, language);
    await unfold(reader);
    const copy = await copied.display(reader);
    return [...(await violationsOf(copy)), ...(await overflowOf(copy, widths))];
  }
}
