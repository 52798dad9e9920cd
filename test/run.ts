/**
 * `npm test` runs the whole suite in three parallel parts. With arguments, `npm test -- <files and options>` is `bun
 * test` of the given files. `npm run test:timings` runs the suite and records the duration of each file, which balances
 * the parts. Run `test:timings` after many additions, on an idle machine.
 */

import { findPrograms, findTools } from "./support/packages.ts";
import { bunTest, bunTestInParts } from "./support/parts.ts";
import { endWithNpm, watchRun } from "./support/run-watcher.ts";
import { BUILD_VARIABLE, buildService } from "./support/service-build.ts";

watchRun();
endWithNpm();
const args = process.argv.slice(2);
const recordTimings = args[0] === "--record-timings";

if (args.length > 0 && !recordTimings) {
  findTools();
  process.exit((await bunTest({ args }, true)).code);
}
findPrograms();
const build = await buildService();
const code = await bunTestInParts({ args: [], env: { [BUILD_VARIABLE]: build.entryPoint }, recordTimings });
build.remove();
process.exit(code);
