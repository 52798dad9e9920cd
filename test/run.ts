/**
 * `npm test`: the whole suite, in two halves at once. With arguments, `npm test -- <files and options>` is `bun test`
 * of those.
 */
import { bunTest, bunTestInHalves } from "./support/halves.ts";
import { findPrograms } from "./support/packages.ts";

const args = process.argv.slice(2);

if (args.length > 0) process.exit((await bunTest({ args }, true)).code);
findPrograms();
process.exit(await bunTestInHalves({ args }));
