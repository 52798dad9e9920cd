/**
 * `npm run test:pages-matrix [-- --languages=en,de --only=<parts of names>]` checks every page in every state and
 * language: axe in both themes on a phone and in a window, and ten widths. The suite has a part of the matrix
 * (test/pages/states.test.ts).
 */
import { overflowOf, unfold, violationsOf, WIDTHS } from "./page-states/checks.ts";
import { chosenIn } from "./page-states/choice.ts";
import { CopiedPage } from "./page-states/copied-page.ts";
import { startDemo } from "./page-states/demo.ts";
import { StateReaders } from "./page-states/readers.ts";
import { CHECKED_STATES } from "./page-states/states.ts";
import { stopServices } from "./support/services.ts";

const chosen = chosenIn(process.argv.slice(2), { named: CHECKED_STATES, widths: WIDTHS });
const { languages, named: states, widths } = chosen;
const demo = await startDemo();
const readers = new StateReaders(demo);
const copied = await CopiedPage.at(demo.origin);
let checked = 0;
let violations = 0;
for (const language of languages) {
  for (const state of states) {
    const found = await findViolations();
    for (const each of found) console.log(`${language} ${state.name}: ${each}`);
    violations += found.length;
    checked += 1;

    async function findViolations(): Promise<string[]> {
      try {
        const reader = await readers.open(state, language);
        await unfold(reader);
        const copy = await copied.display(reader);
        return [...(await violationsOf(copy)), ...(await overflowOf(copy, widths))];
      } catch (error) {
        return [String(error)];
      } finally {
        await readers.leave(state);
      }
    }
  }
}
console.log(`${checked} pages, ${violations} violations`);
await readers.close();
await copied.reader.close();
await demo.stop();
await stopServices();
process.exit(violations === 0 ? 0 : 1);
