/**
 * `npm test`: the whole suite, in three parts at once. With arguments, `npm test -- <files and options>` is `bun test`
 * of those. `npm run test:timings` runs the suite and records how long each file takes, for the balance of the parts:
 * to be done when much was added, on a machine with nothing else to do.
 */

import { findPrograms, findTools } from "./support/packages.ts";
import { bunTest, bunTestInParts } from "./support/parts.ts";
import { endWithNpm, watchRun } from "./support/run-watcher.ts";

watchRun();
endWithNpm();
const args = process.argv.slice(2);
const recordTimings = args[0] === "--record-timings";

if (args.length > 0 && !recordTimings) {
  findTools();
  process.exit((await bunTest({ args }, true)).code);
}
findPrograms();
process.exit(await bunTestInParts({ args: [], recordTimings }));
