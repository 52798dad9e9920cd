import { type Costs, describeCosts, withCosts } from "../cpu.ts";
import {
  createGroup,
  type Directory,
  importOf,
  lookUpOf,
  memberChanges,
  pageOf,
  replaceGroup,
  startBetterAuth,
  startOwnDirectories,
  startScimmy,
} from "../directories.ts";
import { NEIGHBOUR_CREATIONS, neighbourRows } from "../directory-neighbours.ts";
import { type Bench, fixed, median, type Row, whole } from "../harness.ts";
import { interleavedLatencies } from "../interleaved.ts";
import { type Done, sendTasks, type TaskRequest } from "../send-tasks.ts";

const FULL = { users: 100_000, groupMembers: 10_000, imported: 50_000 };
const QUICK = { users: 20_000, groupMembers: 2_000, imported: 300 };
const FEW_USERS = 1_000;
/** The peers import this share of the users: a whole import takes them too long. */
const PEER_SHARE = 0.1;
const CLIENTS = 16;
const LOOK_UPS = 400;
const MEMBER_CHANGES = 20;
/** Every side has imported the first user at least; a look-up finds the user or not. */
const IMPORTED_BY_ALL = 20;
const LOOK_UP_SECONDS = 8;
/** Pages of a list, at even distances. */
const PAGES = 20;
const PAGE = 100;
const GROWTH_GOAL = 1.25;
const REPLACE_GOAL_MS = 300;
const PAGE_GOAL_MS = 20;
/** Members of the largest group (scim.md, section 11), single changes in it, and the goal of their p99. */
const LARGEST_GROUP = 50_000;
const LARGEST_CHANGES = 400;
const LARGEST_GOAL_MS = 10;
/** Times the rate of the peer. The import of scimmy inserts one row, without an account, a membership or a record. */
const IMPORT_GOALS: Readonly<Record<string, number>> = { "@better-auth/scim": 3, scimmy: 1 };

/** A round of one side. */
type Measure = (directory: Directory, round: number) => Promise<Done>;
type Figure = Done & { readonly costs: Costs };
type Figures = ReadonlyMap<Directory, readonly Figure[]>;

/** Line 20: a directory of this service beside @better-auth/scim and scimmy, on the same PostgreSQL and runtime. */
export async function directoryLines(bench: Bench): Promise<Row[]> {
  const size = bench.hurry > 1 ? QUICK : FULL;
  const { ours, few, databaseUrl, makeRoom } = await startOwnDirectories(bench, size.groupMembers);
  const sides = [
    ours,
    await startBetterAuth(bench, size.groupMembers),
    await startScimmy(bench, size.groupMembers),
  ] as const;
  const imported = await measureImport(bench, sides, size.imported);
  await sendTasks({ ...few, clients: 1, tasks: [importOf(few, 0)] });
  await few.fill(FEW_USERS - 1);
  for (const side of sides) await side.fill(size.users - size.imported * (side === ours ? 1 : PEER_SHARE));
  const groups = await measureGroup(bench, sides);
  const lookUps = await measureLookUps(bench, [...sides, few]);
  const pages = await measure(bench, sides, (side) => run(side, 1, pagesOf(size.users)));
  await makeRoom(NEIGHBOUR_CREATIONS);
  const neighbours = await neighbourRows(bench, { ours, few, databaseUrl }, FULL.users);
  const largest = await measureLargestGroup(bench, few);
  const rows = [
    ...besidePeers(`initial import of ${whole(size.imported)} users, ${CLIENTS} clients`, imported, perUser),
    ...besidePeers(`PATCH of one member in a group of ${whole(ours.groupMembers)}, median`, groups.patched, latency),
    largest,
    replaceRow(ours, groups.replaced),
    ...besidePeers(
      `GET /Users?filter=userName eq, ${whole(size.users)} users, median`,
      ofSides(lookUps, sides),
      latency,
    ),
    growthRow({ ours, few }, size.users, lookUps),
    ...besidePeers(`nightly reading of ${whole(size.users)} users, pages of ${PAGE}`, pages, perPage),
    pageRow(ours, size.users, pages),
    ...neighbours,
  ];
  await Promise.all(sides.map(({ running }) => running.stop()));
  return rows;
}

async function measure(bench: Bench, sides: readonly Directory[], measureRound: Measure): Promise<Figures> {
  const figures = new Map<Directory, Figure[]>(sides.map((side) => [side, []]));
  // The first round compiles the executed code on every side.
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const side of sides) {
      const { load, costs } = await withCosts(bench, side.running, 1, async () => {
        const done = await measureRound(side, round);
        return { perSecond: done.tasks, done };
      });
      if (round > 0) figures.get(side)?.push({ ...load.done, costs });
    }
  }
  return figures;
}

function run({ url, bearer }: Directory, clients: number, tasks: readonly (readonly TaskRequest[])[]): Promise<Done> {
  return sendTasks({ url, bearer, clients, tasks });
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

async function measureImport(bench: Bench, sides: readonly Directory[], users: number): Promise<Figures> {
  return await measure(bench, sides, (side, round) => {
    const ofRound = Math.floor((users / (bench.rounds + 1)) * (side === sides[0] ? 1 : PEER_SHARE));
    return run(
      side,
      CLIENTS,
      many(ofRound, (index) => importOf(side, round * ofRound + index)),
    );
  });
}

/** The CPU of each side, and the latencies of all sides in turn: a slow moment of the machine affects every side. */
async function measureLookUps(bench: Bench, sides: readonly Directory[]): Promise<Figures> {
  const costs = await measure(bench, sides, (side) =>
    run(
      side,
      1,
      many(LOOK_UPS, (n) => lookUpOf(side, n % IMPORTED_BY_ALL)),
    ),
  );
  const targets = sides.map((side) => ({ url: `${side.url}${lookUpOf(side, 0)[0]?.path}`, bearer: side.bearer }));
  const seconds = LOOK_UP_SECONDS / bench.hurry;
  const figures = new Map<Directory, Figure[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < bench.rounds; round += 1) {
    const latencies = await interleavedLatencies({ targets, seconds });
    for (const [index, side] of sides.entries()) {
      const [measured, inTurn] = [costs.get(side)?.[round], latencies[index]];
      if (measured && inTurn) figures.get(side)?.push({ ...measured, ...inTurn });
    }
  }
  return figures;
}

function ofSides(figures: Figures, sides: readonly Directory[]): Figures {
  return new Map(sides.map((side) => [side, figures.get(side) ?? []]));
}

async function measureGroup(bench: Bench, sides: readonly Directory[]) {
  const groups = new Map(
    await Promise.all(sides.map(async (side) => [side, await createGroup(side, side.groupMembers)] as const)),
  );
  const groupOf = (side: Directory) => groups.get(side) ?? { id: "", memberIds: [] };
  const patched = await measure(bench, sides, (side) => {
    const { id, memberIds } = groupOf(side);
    return run(side, 1, many(MEMBER_CHANGES / 2, (index) => memberChanges(id, memberIds[index] ?? "")).flat());
  });
  const ours = sides.slice(0, 1);
  const replaced = await measure(bench, ours, (side, round) => run(side, 1, [replaceGroup(groupOf(side), round)]));
  return { patched, replaced };
}

/** Single additions and removals in the largest group that a directory may have. */
async function measureLargestGroup(bench: Bench, directory: Directory): Promise<Row> {
  await directory.fill(LARGEST_GROUP - FEW_USERS);
  const { id, memberIds } = await createGroup(directory, LARGEST_GROUP);
  const figures = await measure(bench, [directory], (side) =>
    run(side, 1, many(LARGEST_CHANGES / 2, (index) => memberChanges(id, memberIds[index] ?? "")).flat()),
  );
  const p99Ms = median((figures.get(directory) ?? []).map((done) => done.p99Ms));
  return durationRow(`PATCH of one member in a group of ${whole(LARGEST_GROUP)}, p99`, p99Ms, LARGEST_GOAL_MS);
}

function pagesOf(users: number): (readonly TaskRequest[])[] {
  return many(PAGES, (index) => pageOf(1 + PAGE * Math.floor(((users / PAGE - 1) * index) / (PAGES - 1)), PAGE));
}

/** How figures are compared: `score` is larger for a faster side. */
interface Comparison {
  readonly text: (done: Done) => string;
  readonly score: (done: Done) => number;
}

const perUser: Comparison = { text: ({ perSecond }) => `${whole(perSecond)}/s`, score: ({ perSecond }) => perSecond };
const latency: Comparison = {
  text: ({ medianMs, p99Ms }) => `${fixed(medianMs)} ms (p99 ${fixed(p99Ms)} ms)`,
  score: ({ medianMs }) => 1 / medianMs,
};
const perPage: Comparison = {
  text: ({ perSecond, p99Ms }) => `${whole(perSecond * PAGE)} users/s, longest page ${fixed(p99Ms)} ms`,
  score: ({ perSecond }) => perSecond,
};

function besidePeers(work: string, figures: Figures, { text, score }: Comparison): Row[] {
  const [[ours, own] = [], ...peers] = [...figures];
  if (!ours || !own) return [];
  return peers.map(([peer, theirs]) => {
    const ratio = median(theirs.map((done, round) => score(own[round] ?? done) / score(done)));
    const goal = work.startsWith("initial import") ? (IMPORT_GOALS[peer.name] ?? 1) : 1;
    const isSmaller = work.includes("group") && peer.groupMembers < ours.groupMembers;
    const smaller = isSmaller ? `, its largest group: ${whole(peer.groupMembers)}` : "";
    return {
      line: "20",
      work: `directory: ${work}`,
      measured: text(middle(own, score)),
      compared: `${text(middle(theirs, score))} of ${peer.name}${smaller}`,
      ratio: `${fixed(ratio)} times`,
      goal: goal === 1 ? "faster" : `at least ${goal} times`,
      reached: ratio >= goal,
      score: ratio,
      cpu: `${describeCosts(middle(own, score).costs)}; ${peer.name} ${describeCosts(middle(theirs, score).costs)}`,
    };
  });
}

function middle(all: readonly Figure[], score: (done: Done) => number): Figure {
  const found = [...all].sort((a, b) => score(a) - score(b))[all.length >> 1];
  if (!found) throw new Error("no rounds");
  return found;
}

function replaceRow(ours: Directory, figures: Figures): Row {
  const milliseconds = median((figures.get(ours) ?? []).map(({ medianMs }) => medianMs));
  return durationRow(
    `PUT of ${whole(ours.groupMembers)} members, ten of them different`,
    milliseconds,
    REPLACE_GOAL_MS,
  );
}

function pageRow(ours: Directory, users: number, figures: Figures): Row {
  const longestMs = median((figures.get(ours) ?? []).map(({ p99Ms }) => p99Ms));
  return durationRow(`a page of ${PAGE} at any position of ${whole(users)} users, longest`, longestMs, PAGE_GOAL_MS);
}

function durationRow(work: string, milliseconds: number, goalMs: number): Row {
  return {
    line: "20",
    work: `directory: ${work}`,
    measured: `${fixed(milliseconds)} ms`,
    compared: "",
    ratio: "",
    goal: `at most ${goalMs} ms`,
    reached: milliseconds <= goalMs,
    score: milliseconds,
  };
}

function growthRow(
  { ours, few }: { readonly ours: Directory; readonly few: Directory },
  users: number,
  figures: Figures,
): Row {
  const [large, small] = [figures.get(ours) ?? [], figures.get(few) ?? []];
  const ratio = median(large.map(({ medianMs }, round) => medianMs / (small[round]?.medianMs ?? Number.NaN)));
  return {
    line: "20",
    work: "directory: the same filter, median",
    measured: `${latency.text(middle(large, latency.score))} with ${whole(users)} users`,
    compared: `${latency.text(middle(small, latency.score))} with ${whole(FEW_USERS)} users`,
    ratio: fixed(ratio),
    goal: `at most ${GROWTH_GOAL} times`,
    reached: ratio <= GROWTH_GOAL,
    score: ratio,
  };
}
