/** The single use of proofs of possession while Redis is slow for one replica (docs/contract.md, section 23.14). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { STATE_COMMAND_TIMEOUT_MS } from "../../src/limits/state-limits.ts";
import { TcpProxy } from "../faults/tcp-proxy.ts";
import type { Answer } from "../support/client.ts";
import { type OwnDeployment, ownDeployment, race } from "../support/deployment.ts";
import { makeProof, makeProofKey, type ProofKey } from "../support/dpop.ts";
import { basic, registerClient, sendForm, type TestClient } from "../support/oauth.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { type Replica, startReplica } from "../support/replica.ts";
import { until } from "../support/waiting.ts";

let at: OwnDeployment;
let redisWire: TcpProxy;
/** Reaches Redis by `redisWire`. */
let slow: Replica;
let client: TestClient;
let key: ProofKey;
beforeAll(async () => {
  at = await ownDeployment();
  redisWire = await TcpProxy.to(at.redis.port);
  slow = await startReplica({ ...at.settings, REDIS_URL: `redis://127.0.0.1:${redisWire.port}` }, { runtime: "bun" });
  const { client: admin } = await steppedUpAdmin(at, "owner");
  client = await registerClient({ grant_types: ["client_credentials"], redirect_uris: [] }, admin);
  key = await makeProofKey();
});
afterAll(async () => {
  redisWire.stop();
  await slow.stop();
});

const send = (url: string, dpop: string): Promise<Answer> =>
  sendForm(url, "/oauth2/token", { grant_type: "client_credentials", scope: "api:read" }, { ...basic(client), dpop });

const outcome = ({ status, body }: Answer): string => (status === 200 ? "issued" : body.error);

/** A proof without a nonce that a replica accepted. A busy machine can make Redis late for a moment. */
async function acceptedProof({ url }: Replica): Promise<string> {
  let proof = "";
  await until("a proof without a nonce is accepted", async () => {
    proof = await makeProof(key);
    return outcome(await send(url, proof)) === "issued";
  });
  return proof;
}

describe("a proof while Redis is slow for one replica (G331)", () => {
  test("a proof that the other replica accepted gets no token, and the refusal has a nonce", async () => {
    const proof = await acceptedProof(at.one);
    redisWire.delayMs = 8 * STATE_COMMAND_TIMEOUT_MS;
    const refused = await send(slow.url, proof);
    expect([outcome(refused), refused.headers.has("dpop-nonce")]).toEqual(["use_dpop_nonce", true]);
  });

  test("a proof with the nonce of the refusal is accepted once by all replicas, of ten parallel requests", async () => {
    redisWire.delayMs = 8 * STATE_COMMAND_TIMEOUT_MS;
    const refused = await send(slow.url, await makeProof(key));
    expect(outcome(refused)).toBe("use_dpop_nonce");
    const nonce = refused.headers.get("dpop-nonce") ?? "";
    const proof = await makeProof(key, { claims: { nonce } });
    const outcomes = await race(async (index) => outcome(await send(index % 2 ? slow.url : at.other.url, proof)), 10);
    expect(outcomes.toSorted()).toEqual([...Array(9).fill("invalid_dpop_proof"), "issued"]);
  });

  test("after Redis is back, the proof stays used, and proofs without a nonce are accepted again", async () => {
    redisWire.delayMs = 8 * STATE_COMMAND_TIMEOUT_MS;
    const refused = await send(slow.url, await makeProof(key));
    const proof = await makeProof(key, { claims: { nonce: refused.headers.get("dpop-nonce") ?? "" } });
    expect(outcome(await send(slow.url, proof))).toBe("issued");
    redisWire.heal();
    redisWire.cut();
    await acceptedProof(slow);
    expect(outcome(await send(slow.url, proof))).toBe("invalid_dpop_proof");
  });
});
