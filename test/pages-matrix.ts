/**
 * `npm run test:pages-matrix [-- --languages=en,de --only=<parts of names>]` checks every page in every state and
 * language: axe in both themes on a phone and in a window, and ten widths. The suite has a part of the matrix
 * (test/pages/states.test.ts).
 */
import { overflowOf, unfold, violationsOf, WIDTHS } from "./page-states/checks.ts";
import { chosenIn } from "./page-states/choice.ts";
import { startDemo } from "./page-states/demo.ts";
import { StateReaders } from "./page-states/readers.ts";
import { CHECKED_STATES } from "./page-states/states.ts";
import { stopServices } from "./support/services.ts";

const { languages, states, widths } = chosenIn(process.argv.slice(2), { states: CHECKED_STATES, widths: WIDTHS });
const demo = await startDemo();
const readers = new StateReaders(demo);
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
        return [...(await violationsOf(reader)), ...(await overflowOf(reader, widths))];
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
await demo.stop();
await stopServices();
process.exit(violations === 0 ? 0 : 1);
