/**
 * `npm test`: the whole suite, in three parts at once. With arguments, `npm test -- <files and options>` is `bun test`
 * of those.
 */

import { findPrograms } from "./support/packages.ts";
import { bunTest, bunTestInParts } from "./support/parts.ts";

const args = process.argv.slice(2);

if (args.length > 0) process.exit((await bunTest({ args }, true)).code);
findPrograms();
process.exit(await bunTestInParts({ args }));
