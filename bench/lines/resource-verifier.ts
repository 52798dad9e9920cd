import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import {
  type Bench,
  median,
  type Row,
  registerAccounts,
  runJson,
  SERVICE_ENV,
  startService,
  whole,
} from "../harness.ts";
import { CLIENTS, insertClients, insertCodes } from "../oauth-codes.ts";
import type { Setup } from "../resource-verifications.ts";

const ISSUER = SERVICE_ENV.SERVICE_PUBLIC_BASE_URL;
const TOKENS = 50;
const PROOFS = 20_000;
const REPEATED = 300_000;
const GOAL_WITH_PROOF = 5_000;
const GOAL_REPEATED = 30_000;

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly refused: number;
}

/** Line 22 measures `createResourceVerifier` in a separate process on a single thread, with and without DPoP. */
export async function resourceVerifierLines(bench: Bench): Promise<Row[]> {
  await insertClients(bench.databaseUrl);
  const service = await startService(bench);
  await registerAccounts(service.url, TOKENS);
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) };
  const proofOf = () =>
    new SignJWT({ jti: randomUUID(), htm: "POST", htu: `${ISSUER}/oauth2/token` })
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: key.publicJwk })
      .setIssuedAt()
      .sign(privateKey);
  const common = { issuer: ISSUER, baseUrl: service.url, resource: CLIENTS.EdDSA.resource };
  const bound: Setup = { ...common, tokens: await tokensOf(bench, service.url, proofOf), key, requests: PROOFS };
  const bearer: Setup = { ...common, tokens: await tokensOf(bench, service.url), requests: REPEATED };
  const rounds: { bound: Measured; bearer: Measured }[] = [];
  for (let round = 0; round < bench.rounds; round += 1)
    rounds.push({ bound: await measure(bound), bearer: await measure(bearer) });
  await service.stop();
  return [
    rowOf(
      "resource verifier with a DPoP proof per request, one thread",
      GOAL_WITH_PROOF,
      rounds.map((each) => each.bound),
    ),
    rowOf(
      "resource verifier, repeated tokens, one thread",
      GOAL_REPEATED,
      rounds.map((each) => each.bearer),
    ),
  ];
}

async function tokensOf({ databaseUrl }: Bench, url: string, proofOf?: () => Promise<string>): Promise<string[]> {
  const client = CLIENTS.EdDSA;
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`;
  const tokens: string[] = [];
  for (const code of await insertCodes(databaseUrl, client, TOKENS)) {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: client.verifier,
      resource: client.resource,
    });
    const headers = { authorization, ...(proofOf ? { dpop: await proofOf() } : {}) };
    const response = await fetch(`${url}/oauth2/token`, { method: "POST", headers, body });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (!token) throw new Error(`an exchange returned ${response.status}`);
    tokens.push(token);
  }
  return tokens;
}

async function measure(setup: Setup): Promise<Measured> {
  const file = join(tmpdir(), `identity-bench-resource-verifier-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(setup));
  const measured = await runJson<Measured>("bench/resource-verifications.ts", [file]);
  rmSync(file);
  if (measured.refused > 0) throw new Error(`${measured.refused} live tokens were refused`);
  return measured;
}

function rowOf(work: string, goal: number, rounds: readonly Measured[]): Row {
  const rate = median(rounds.map(({ perSecond }) => perSecond));
  const cpuMs = median(rounds.map((each) => each.cpuMs));
  return {
    line: "22",
    work,
    measured: `${whole(rate)}/s`,
    compared: "",
    ratio: "",
    goal: `at least ${whole(goal)}/s`,
    reached: rate >= goal,
    score: rate,
    cpu: `${cpuMs.toFixed(3)} ms`,
  };
}
