/**
 * `npm run test:unit` runs the tests without a replica and without a browser, within seconds. PostgreSQL and Redis are
 * real here too. Options are passed to `bun test`: `npm run test:unit -- -t "refresh token"`. The whole suite is `npm
 * test`.
 */
import { findTools } from "./support/packages.ts";
import { bunTest, bunTestInParts } from "./support/parts.ts";
import { endWithNpm, watchRun } from "./support/run-watcher.ts";

const UNIT_TESTS = [
  "actors/",
  "base/",
  "config.test.ts",
  "db/",
  "flows/",
  "models/",
  "ops/manifests",
  "pool/",
  "providers/",
  "state/",
];

watchRun();
endWithNpm();
findTools();
const startedAt = performance.now();
const paths = UNIT_TESTS.map((path) => `test/${path}`);
const options = process.argv.slice(2);
// With this variable the service cannot be started: a test that needs the service belongs in a different folder.
const run = { args: [...paths, ...options], env: { TESTS_WITHOUT_REPLICAS: "1" } };
const code = options.length > 0 ? (await bunTest(run, true)).code : await bunTestInParts(run);
console.log(`Unit tests: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exit(code);
