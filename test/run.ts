/**
 * `npm test` runs the whole suite in four parallel parts. With arguments, `npm test -- <files and options>` is `bun
 * test` of the given files. With TEST_ALLOW_MISSING=1 the suite leaves out, by name, the files that need a missing
 * program. `npm run test:timings` runs the suite and records the duration of each file, which balances the parts. Run
 * `test:timings` after many additions, on an idle machine.
 */

import { runnableArguments } from "./support/missing-programs.ts";
import { findPrograms, findTools } from "./support/packages.ts";
import { bunTest, bunTestInParts } from "./support/parts.ts";
import { endWithNpm, watchRun } from "./support/run-watcher.ts";
import { BUILD_VARIABLE, buildService } from "./support/service-build.ts";

watchRun();
endWithNpm();
const args = process.argv.slice(2);
const recordTimings = args[0] === "--record-timings";

const isSingle = args.length > 0 && !recordTimings;
if (isSingle) findTools();
else findPrograms();
const runnable = process.env.TEST_ALLOW_MISSING === "1" ? runnableArguments(isSingle ? args : []) : undefined;
if (process.env.TEST_ALLOW_MISSING === "1" && runnable === undefined) process.exit(0);
if (isSingle) process.exit((await bunTest({ args: runnable ?? args }, true)).code);
const build = await buildService();
const code = await bunTestInParts({ args: runnable ?? [], env: { [BUILD_VARIABLE]: build.entryPoint }, recordTimings });
build.remove();
process.exit(code);
