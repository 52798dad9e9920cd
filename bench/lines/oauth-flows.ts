/** The goals of OAuth beside the exchange of a code: devices, proofs of possession, pushed requests, documents. */
import { randomBytes, randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Costs, describeCosts, totalOf, withCosts } from "../cpu.ts";
import {
  alternate,
  type Bench,
  fixed,
  type Row,
  type RunningBesideEmptyRoute,
  registerAccounts,
  runJson,
  SERVICE_ENV,
  startServiceWithEmptyRoute,
  whole,
} from "../harness.ts";
import {
  CLIENTS,
  DEVICE_CLIENT,
  DOCUMENT_CLIENT,
  insertClients,
  insertCodes,
  insertDeviceClients,
  insertDevices,
} from "../oauth-codes.ts";
import type { ParFlows } from "../par-flows.ts";
import { type Request, sendRequests } from "../send-requests.ts";
import { type Peer, startPeer } from "./provider-peer.ts";

const CONNECTIONS = 16;
const ACCOUNTS = 64;
/** Devices that wait at a time, and are polled in turn. */
const DEVICES = 1_000;
const GOALS = { pollsPerSecond: 20_000, proofMs: 0.25, pushed: 3, document: 0.9 };
/** More codes than are exchanged in a second. */
const CODES_PER_SECOND = 2_500;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export async function oauthFlowLines(bench: Bench): Promise<Row[]> {
  await insertClients(bench.databaseUrl);
  await insertDeviceClients(bench.databaseUrl);
  const service = await startServiceWithEmptyRoute(bench, { SERVICE_OAUTH_CIMD: "on" });
  const accounts = await registerAccounts(service.url, ACCOUNTS);
  const peer = await startPeer(bench, ACCOUNTS);
  const cookies = accounts.map(({ accessToken }) => `service_at=${accessToken}`);
  const rows = [
    ...(await deviceRows(bench, service)),
    await proofRow(bench, service),
    await pushedRow(bench, service, peer, cookies),
  ];
  await Promise.all([service.stop(), peer.running.stop()]);
  return rows;
}

async function pollsOf(databaseUrl: string, clientId: string): Promise<Request[]> {
  const codes = await insertDevices(databaseUrl, clientId, DEVICES);
  return codes.map((device_code) => ({
    form: String(new URLSearchParams({ grant_type: DEVICE_GRANT, client_id: clientId, device_code })),
  }));
}

/** A waiting device is 400 `authorization_pending`, or `slow_down` here, because the devices do not wait. */
async function deviceRows(bench: Bench, service: RunningBesideEmptyRoute): Promise<Row[]> {
  const seconds = Math.ceil(4 / bench.hurry);
  const url = `${service.url}/oauth2/token`;
  const [registered, document] = [
    await pollsOf(bench.databaseUrl, DEVICE_CLIENT),
    await pollsOf(bench.databaseUrl, DOCUMENT_CLIENT),
  ];
  for (const [first] of [registered, document]) await expectWaiting(url, first);
  const poll = (requests: readonly Request[]) => sendRequests(url, seconds, CONNECTIONS, requests, "refusals");
  const costs: Costs[] = [];
  const polled = await alternate(
    bench.rounds,
    async () => {
      const work = async () => ({ perSecond: poll(registered) });
      const measured = await withCosts(bench, service, seconds, work);
      costs.push(measured.costs);
      return measured.load.perSecond;
    },
    async () => sendRequests(service.emptyUrl, seconds, CONNECTIONS, registered),
  );
  const known = await alternate(
    bench.rounds,
    async () => poll(document),
    async () => poll(registered),
  );
  const [last] = costs.slice(-1);
  return [
    {
      line: "15",
      work: `OpenID provider: polls of ${whole(DEVICES)} waiting devices, ${CONNECTIONS} clients`,
      measured: `${whole(polled.a)}/s`,
      compared: `${whole(polled.b)}/s of an empty POST route of the same process`,
      ratio: fixed(polled.ratio),
      goal: `at least ${whole(GOALS.pollsPerSecond)}/s`,
      reached: polled.a >= GOALS.pollsPerSecond,
      score: polled.a,
      ...(last ? { cpu: describeCosts(last) } : {}),
    },
    {
      line: "15",
      work: "the same of a client with a metadata document",
      measured: `${whole(known.a)}/s`,
      compared: `${whole(known.b)}/s of a registered client`,
      ratio: fixed(known.ratio),
      goal: `at least ${GOALS.document}`,
      reached: known.ratio >= GOALS.document,
      score: known.ratio,
    },
  ];
}

async function expectWaiting(url: string, request: Request | undefined): Promise<void> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await fetch(url, { method: "POST", headers, body: request?.form ?? "" });
  const { error } = (await response.json()) as { error?: string };
  if (error !== "authorization_pending") throw new Error(`a poll returned ${response.status} ${error}`);
}

/** The CPU time that the proof of possession adds to an exchange, in this process and in PostgreSQL and Redis. */
async function proofRow(bench: Bench, service: RunningBesideEmptyRoute): Promise<Row> {
  const client = CLIENTS.ES256;
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`;
  const seconds = Math.ceil(4 / bench.hurry);
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const prove = () =>
    new SignJWT({ jti: randomUUID(), htm: "POST", htu: `${SERVICE_ENV.SERVICE_PUBLIC_BASE_URL}/oauth2/token` })
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
      .setIssuedAt()
      .sign(privateKey);
  const cost = async (isBound: boolean) => {
    const codes = await insertCodes(bench.databaseUrl, client, CODES_PER_SECOND * seconds);
    const requests: Request[] = [];
    for (const code of codes) {
      const { redirectUri: redirect_uri, verifier: code_verifier, resource } = client;
      const fields = { grant_type: "authorization_code", code, redirect_uri, code_verifier, resource };
      requests.push({
        authorization,
        form: String(new URLSearchParams(fields)),
        ...(isBound ? { dpop: await prove() } : {}),
      });
    }
    const work = async () => ({
      perSecond: sendRequests(`${service.url}/oauth2/token`, seconds, CONNECTIONS, requests),
    });
    return totalOf((await withCosts(bench, service, seconds, work)).costs);
  };
  // The compilation of the code by the runtime is no cost of a proof.
  await cost(true);
  await cost(false);
  const { a: bound, b: bearer } = await alternate(
    bench.rounds,
    () => cost(true),
    () => cost(false),
  );
  const added = bound - bearer;
  return {
    line: "15",
    work: "OpenID provider: CPU time of an exchange with a proof of possession (DPoP), ES256",
    measured: `${fixed(bound)} ms`,
    compared: `${fixed(bearer)} ms without a proof`,
    ratio: `+${fixed(added)} ms`,
    goal: `at most +${GOALS.proofMs} ms`,
    reached: added <= GOALS.proofMs,
    score: added,
  };
}

async function pushedRow(
  bench: Bench,
  service: RunningBesideEmptyRoute,
  peer: Peer,
  cookies: readonly string[],
): Promise<Row> {
  const client = CLIENTS.ES256;
  const paths = { par: "/oauth2/par", authorize: "/oauth2/authorize", token: "/oauth2/token" };
  const theirPaths = { par: "/request", authorize: "/auth", token: "/token" };
  const theirs = await fetch(`${peer.running.url}/bench/sessions?client=${client.id}`);
  const theirCookies = (await theirs.json()) as string[];
  const { a, b, ratio } = await alternate(
    bench.rounds,
    () => flowsPerSecond(bench, { url: service.url, paths, client, cookies: cookies.slice(0, CONNECTIONS) }),
    () =>
      flowsPerSecond(bench, {
        url: peer.running.url,
        paths: theirPaths,
        client,
        cookies: theirCookies.slice(0, CONNECTIONS),
      }),
  );
  return {
    line: "15",
    work: `OpenID provider: pushed request, authorization and exchange, ES256, ${CONNECTIONS} browsers`,
    measured: `${whole(a)}/s`,
    compared: `${whole(b)}/s of oidc-provider`,
    ratio: `${fixed(ratio)} times`,
    goal: `at least ${GOALS.pushed} times`,
    reached: ratio >= GOALS.pushed,
    score: ratio,
  };
}

async function flowsPerSecond(bench: Bench, flows: ParFlows): Promise<number> {
  const file = join(tmpdir(), `identity-bench-par-${randomBytes(4).toString("hex")}.json`);
  writeFileSync(file, JSON.stringify(flows));
  const seconds = Math.ceil(4 / bench.hurry);
  const { perSecond } = await runJson<{ perSecond: number }>("bench/par-flows.ts", [file, seconds]);
  rmSync(file);
  return perSecond;
}
