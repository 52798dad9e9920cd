/** Line 28: programs that administer (docs/contract.md, chapters 35 and 36). */
import { hash } from "@node-rs/argon2";
import { type Costs, describeCosts, meanCosts, withCosts } from "../cpu.ts";
import {
  alternate,
  type Bench,
  fixed,
  median,
  PASSWORD,
  type Row,
  type Running,
  registerAccounts,
  startService,
  whole,
} from "../harness.ts";
import { insertProgram } from "../insert-key.ts";
import { interleavedLatencies } from "../interleaved.ts";
import { BATCH, insertAssertionClients, newBatch, newUser, startManagementPeer } from "../programs.ts";
import { overload } from "../run-load.ts";
import { seededDatabases } from "../scale.ts";
import { sendRequests } from "../send-requests.ts";
import { sendTasks, type TaskRequest } from "../send-tasks.ts";

const CLIENTS = 16;
const GOALS = { creation: 3, batchPerSecond: 2_000, neighbours: 1.25, exchange: 0.8, pages: 1.25 };
/** More than either side does in a second. */
const CREATIONS_PER_SECOND = 4_000;
const EXCHANGES_PER_SECOND = 2_000;
const WARM_UP_SECONDS = 3;
const BATCHES_AT_ONCE = 2;
const BATCHES_PER_ROUND = 60;
/** A fifth of the sign-ins that two cores can do. */
const SIGN_INS_PER_SECOND = 25;
const PAGE = 100;
const PAGE_SECONDS = 8;

const batchRequest = (): TaskRequest => ({ method: "POST", path: "/v1/admin/users/batch", json: newBatch() });
const batches = (count: number) => Array.from({ length: count }, () => [batchRequest()]);

export async function programLines(bench: Bench): Promise<Row[]> {
  const exchanges = await insertAssertionClients(bench.databaseUrl);
  const service = await startService(bench);
  const scopes = ["users.read", "users.write"];
  const { key } = await insertProgram(bench.databaseUrl, { organizationId: null, scopes });
  const rows = [
    ...(await creationRows(bench, service, key)),
    await batchRow(bench, service, key),
    ...(await neighbourRows(bench, service, key)),
    await exchangeRow(bench, service, exchanges),
  ];
  await service.stop();
  return [...rows, await cursorRow(bench)];
}

/** Creations one by one, beside `admin.createUser` of better-auth, which has no field for a hash. */
async function creationRows(bench: Bench, service: Running, key: string): Promise<Row[]> {
  const peer = await startManagementPeer(bench);
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const seconds = Math.ceil(4 / bench.hurry);
  const create = (url: string, bearer: string, more: object, duration = seconds) => {
    const requests = Array.from({ length: CREATIONS_PER_SECOND * duration }, () => ({
      authorization: `Bearer ${bearer}`,
      json: newUser(more),
    }));
    return sendRequests(url, duration, CLIENTS, requests);
  };
  const ours = (more: object, duration?: number) => create(`${service.url}/v1/admin/users`, key, more, duration);
  const theirs = async (duration?: number) =>
    create(`${peer.running.url}/api/auth/admin/create-user`, peer.bearer, { name: "Ada Lovelace" }, duration);
  ours({}, WARM_UP_SECONDS);
  await theirs(WARM_UP_SECONDS);
  const rows: Row[] = [];
  for (const [name, more] of [
    ["without a password", {}],
    ["with an Argon2id hash", { password_hash: passwordHash }],
  ] as const) {
    const costs: Costs[] = [];
    const measured = async () => {
      const work = async () => ({ perSecond: ours(more) });
      const round = await withCosts(bench, service, seconds, work);
      costs.push(round.costs);
      return round.load.perSecond;
    };
    const rate = await alternate(bench.rounds, measured, () => theirs());
    rows.push({
      line: "28",
      work: `POST /v1/admin/users ${name}, ${CLIENTS} clients`,
      measured: `${whole(rate.a)}/s`,
      compared: `${whole(rate.b)}/s of admin.createUser of better-auth without a password`,
      ratio: `${fixed(rate.ratio)} times`,
      goal: `at least ${GOALS.creation} times`,
      reached: rate.ratio >= GOALS.creation,
      score: rate.ratio,
      cpu: describeCosts(meanCosts(costs)),
    });
  }
  await peer.running.stop();
  return rows;
}

/** The rate of one program, which a replica serves two batches at a time. */
async function batchRow(bench: Bench, service: Running, key: string): Promise<Row> {
  const send = async () => {
    const tasks = batches(Math.ceil(BATCHES_PER_ROUND / bench.hurry));
    const startedAt = performance.now();
    const work = async () => {
      const done = await sendTasks({ url: service.url, bearer: key, clients: BATCHES_AT_ONCE, tasks });
      return { perSecond: done.perSecond * BATCH, seconds: (performance.now() - startedAt) / 1000 };
    };
    // Costs of each user: the number of users is the rate times the seconds of the load.
    const { load, costs } = await withCosts(bench, service, 1, async () => {
      const { perSecond } = await work();
      return { perSecond: tasks.length * BATCH, rate: perSecond };
    });
    return { perSecond: load.rate, costs };
  };
  await send();
  const rounds: Awaited<ReturnType<typeof send>>[] = [];
  for (let round = 0; round < bench.rounds; round += 1) rounds.push(await send());
  const perSecond = median(rounds.map((round) => round.perSecond));
  return {
    line: "28",
    work: `POST /v1/admin/users/batch, ${BATCH} users a request, ${BATCHES_AT_ONCE} requests at a time`,
    measured: `${whole(perSecond)} users/s`,
    compared: "",
    ratio: "",
    goal: `at least ${whole(GOALS.batchPerSecond)} users/s`,
    reached: perSecond >= GOALS.batchPerSecond,
    score: perSecond,
    cpu: `${describeCosts(meanCosts(rounds.map(({ costs }) => costs)))} a user`,
  };
}

/**
 * Sign-ins beside a program that sends one batch after the other: beside the same sign-ins at rest, and beside sign-ins
 * at a second replica, which wait for the same cores and the same PostgreSQL.
 */
async function neighbourRows(bench: Bench, service: Running, key: string): Promise<Row[]> {
  const other = await startService(bench);
  // More than eight at once would miss the deadline of a hash on a busy machine.
  const accounts = await registerAccounts(service.url, 8);
  const seconds = Math.ceil(8 / bench.hurry);
  const signIns = (url: string, perSecond: number) => overload("login", url, CLIENTS, seconds, accounts, perSecond);
  await Promise.all([signIns(service.url, SIGN_INS_PER_SECOND / 2), signIns(other.url, SIGN_INS_PER_SECOND / 2)]);
  const ratios = { rest: [] as number[], replica: [] as number[] };
  const p99s = { beside: [] as number[], rest: [] as number[], near: [] as number[], far: [] as number[] };
  for (let round = 0; round < bench.rounds; round += 1) {
    const rest = await signIns(service.url, SIGN_INS_PER_SECOND);
    const beside = await whileBatching(service, key, () => signIns(service.url, SIGN_INS_PER_SECOND));
    const [near, far] = await whileBatching(service, key, () =>
      Promise.all([signIns(service.url, SIGN_INS_PER_SECOND / 2), signIns(other.url, SIGN_INS_PER_SECOND / 2)]),
    );
    ratios.rest.push(beside.p99Ms / rest.p99Ms);
    ratios.replica.push(near.p99Ms / far.p99Ms);
    for (const [name, load] of Object.entries({ beside, rest, near, far }))
      p99s[name as keyof typeof p99s].push(load.p99Ms);
  }
  await other.stop();
  const row = (work: string, [measured, compared]: [number[], number[]], against: string, ratio: number): Row => ({
    line: "28",
    work,
    measured: `${fixed(median(measured))} ms`,
    compared: `${fixed(median(compared))} ms ${against}`,
    ratio: `${fixed(ratio)} times`,
    goal: `at most ${GOALS.neighbours} times`,
    reached: ratio <= GOALS.neighbours,
    score: ratio,
  });
  return [
    row(
      `p99 of ${SIGN_INS_PER_SECOND} sign-ins a second beside a program that sends batches`,
      [p99s.beside, p99s.rest],
      "at rest",
      median(ratios.rest),
    ),
    row(
      "the same, half of them",
      [p99s.near, p99s.far],
      "at a second replica without the batches",
      median(ratios.replica),
    ),
  ];
}

/** Runs `work` while a program sends one batch after the other. */
async function whileBatching<T>({ url }: Running, bearer: string, work: () => Promise<T>): Promise<T> {
  let isWorking = true;
  const batching = async () => {
    while (isWorking) await sendTasks({ url, bearer, clients: 1, tasks: batches(20) });
  };
  const working = async () => {
    try {
      return await work();
    } finally {
      isWorking = false;
    }
  };
  const [result] = await Promise.all([working(), batching()]);
  return result;
}

/** Every assertion is presented once, because the trust and the application refuse a repetition. */
async function exchangeRow(
  bench: Bench,
  service: Running,
  { trust, application }: Awaited<ReturnType<typeof insertAssertionClients>>,
): Promise<Row> {
  const seconds = Math.ceil(4 / bench.hurry);
  const url = `${service.url}/oauth2/token`;
  const exchange = async (assertions: typeof trust, duration = seconds) =>
    sendRequests(url, duration, CLIENTS, await assertions(EXCHANGES_PER_SECOND * duration));
  for (const assertions of [trust, application]) await exchange(assertions, WARM_UP_SECONDS);
  const rate = await alternate(
    bench.rounds,
    () => exchange(trust),
    () => exchange(application),
  );
  return {
    line: "28",
    work: `access token of a service account by a trust, ${CLIENTS} clients`,
    measured: `${whole(rate.a)}/s`,
    compared: `${whole(rate.b)}/s of an application with private_key_jwt`,
    ratio: fixed(rate.ratio),
    goal: `at least ${GOALS.exchange}`,
    reached: rate.ratio >= GOALS.exchange,
    score: rate.ratio,
  };
}

/** The first page and the last page of a list by cursor. */
async function cursorRow(bench: Bench): Promise<Row> {
  const { large } = await seededDatabases(bench);
  const service = await startService(bench, { DATABASE_URL: large });
  const { key } = await insertProgram(large, { organizationId: null, scopes: ["users.read"] });
  const pageAt = (cursor: string) =>
    `${service.url}/v1/admin/users?page_size=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
  const pages = Math.floor(bench.scale.users / PAGE);
  let cursor = "";
  for (let page = 1; page < pages; page += 1) {
    const response = await fetch(pageAt(cursor), { headers: { authorization: `Bearer ${key}` } });
    const { next_cursor: next } = (await response.json()) as { next_cursor: string | null };
    if (!next) throw new Error(`page ${page} returned ${response.status} without a next page`);
    cursor = next;
  }
  const targets = ["", cursor].map((each) => ({ url: pageAt(each), bearer: key }));
  const ratios: number[] = [];
  const medians: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    const [first, last] = await interleavedLatencies({ targets, seconds: PAGE_SECONDS / bench.hurry });
    if (!first || !last) throw new Error("no latencies");
    medians[0].push(first.medianMs);
    medians[1].push(last.medianMs);
    ratios.push(last.medianMs / first.medianMs);
  }
  await service.stop();
  const ratio = median(ratios);
  return {
    line: "28",
    work: `GET /v1/admin/users by cursor, page ${whole(pages)} of ${whole(bench.scale.users)} users, median`,
    measured: `${fixed(median(medians[1]))} ms`,
    compared: `${fixed(median(medians[0]))} ms of page 1`,
    ratio: fixed(ratio),
    goal: `at most ${GOALS.pages}`,
    reached: ratio <= GOALS.pages,
    score: ratio,
  };
}
