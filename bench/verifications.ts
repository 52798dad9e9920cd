/**
 * An API of a foreign application on a single thread: verifies known tokens for some seconds while the verifier follows
 * the revocation feed. Arguments: issuer, address of the service, seconds, tokens. Prints `{"perSecond": …, "refused":
 * …}`.
 */
import { createVerifier } from "../clients/js/src/verifier.ts";

const [issuer = "", baseUrl = "", seconds = "1", ...tokens] = process.argv.slice(2);
const verifier = createVerifier({ issuer, baseUrl, whenBlind: "deny" });
for (const token of tokens) await verifier.verify(token);

/** The number of requests that a busy API receives between two turns of the event loop. */
const BATCH = 100;
let verified = 0;
let refused = 0;
const startedAt = performance.now();
const endsAt = startedAt + Number(seconds) * 1000;
while (performance.now() < endsAt) {
  for (let index = 0; index < BATCH; index += 1) {
    const { ok } = await verifier.verify(tokens[(verified + index) % tokens.length]);
    if (!ok) refused += 1;
  }
  verified += BATCH;
  // The verifier follows the feed between two batches, as in any server.
  await new Promise(setImmediate);
}
console.log(JSON.stringify({ perSecond: (verified / (performance.now() - startedAt)) * 1000, refused }));
process.exit(0);
