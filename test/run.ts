/**
 * `npm test` runs the whole suite in three parallel parts. With arguments, `npm test -- <files and options>` is `bun
 * test` of the given files. With TEST_ALLOW_MISSING=1 the suite leaves out, by name, the files that need a missing
 * program. `npm run test:timings` runs the suite and records the duration of each file, which balances the parts. Run
 * `test:timings` after many additions, on an idle machine.
 */

import { runnableFiles } from "./support/missing-programs.ts";
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
const files = process.env.TEST_ALLOW_MISSING === "1" ? runnableFiles() : [];
const code = await bunTestInParts({ args: files, env: { [BUILD_VARIABLE]: build.entryPoint }, recordTimings });
build.remove();
process.exit(code);
