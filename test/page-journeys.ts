/**
 * `npm run test:page-journeys [-- <folder> --languages=en,de --only=<parts of names>]` walks whole journeys at 320 px
 * with text of twice the size in forced colours; pictures of every page go to the folder. The suite has one journey
 * (test/pages/states.test.ts).
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { JOURNEYS } from "./page-journeys/journeys.ts";
import { findingsOf } from "./page-journeys/run.ts";
import { chosenIn } from "./page-states/choice.ts";
import { startDemo } from "./page-states/demo.ts";
import { stopServices } from "./support/services.ts";

const { languages, named, positionals } = chosenIn(process.argv.slice(2), { named: JOURNEYS, widths: [] });
const [folder] = positionals;
let findings = 0;
for (const language of languages) {
  // The journeys change the data, so each language begins with a new demo.
  const demo = await startDemo();
  for (const journey of named) {
    const pictures = folder && join(folder, language);
    if (pictures) mkdirSync(pictures, { recursive: true });
    const found = await findingsOf(demo, journey, { language, pictures });
    for (const each of found) console.log(`${language} ${each}`);
    findings += found.length;
  }
  await demo.stop();
}
console.log(`${languages.length * named.length} journeys, ${findings} findings`);
await stopServices();
process.exit(findings === 0 ? 0 : 1);
