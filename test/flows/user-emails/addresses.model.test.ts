/**
 * A model of the addresses of a user (docs/contract.md, section 12.14): fast-check generates histories of requests,
 * links, undo links and time, and outcomes and rows must equal those of the model. The seed is fixed; `MODEL_SEED` and
 * `MODEL_RUNS` override seed and number of histories.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { confirmAddress } from "../../../src/flows/user-emails/confirm-change.ts";
import { removeAddress } from "../../../src/flows/user-emails/remove.ts";
import { requestAddress } from "../../../src/flows/user-emails/request-change.ts";
import { switchPrimaryAddress } from "../../../src/flows/user-emails/switch-primary.ts";
import { undoAddressChange } from "../../../src/flows/user-emails/undo.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import { deleteExpiredChanges } from "../../../src/models/user-email/email-change.ts";
import { deleteExpiredReservations } from "../../../src/models/user-email/user-email.ts";
import {
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  DAY_MS,
  HOUR_MS,
  registerAccount,
  SECOND_MS,
  unwrap,
} from "../../support/accounts.ts";
import { AddressModel } from "../../support/address-model.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

const SETTINGS = { seed: Number(process.env.MODEL_SEED ?? 2611), numRuns: Number(process.env.MODEL_RUNS ?? 60) };
const COMMANDS_MAX = 20;
/** Another user has the last address. */
const MAILBOXES = 4;
const TAKEN = 3;
const BATCH = 100;

let flows: Flows;
/** The sessions of two users. */
let owner: SessionView;
let other: SessionView;
beforeAll(async () => {
  flows = await openFlows({ SERVICE_RATE_LIMITS: "off" });
  [owner, other] = [await newSession(), await newSession()];
});
afterAll(() => flows.close());

const newSession = async () => await callerOf(flows, (await registerAccount(flows)).signedIn);

interface Real {
  readonly addresses: readonly string[];
  /** Tokens by request of the model; undefined: no email contained a link. */
  readonly links: (string | undefined)[];
  readonly undoLinks: (string | undefined)[];
}

type Command = fc.AsyncCommand<AddressModel, Real>;

const now = () => flows.clock.now();
const addressOf = ({ addresses }: Real, mailbox: number) => addresses[mailbox] ?? "";

/** The session after a step-up, also in place of a new sign-in after an undo. */
async function renewSession({ id }: SessionView): Promise<void> {
  const far = new Date(now() + 365 * DAY_MS);
  await flows.sql`
    update sessions set revoked_at = null, aal = 'aal2', mfa_verified_at = ${far}, expires_at = ${far}
    where id = ${id}`;
}

async function linkIn(address: string, kind: "email_change" | "email_change_notice"): Promise<string | undefined> {
  const newest = (await flows.emailsTo(address)).findLast(({ mail }) => mail.kind === kind);
  const values = newest?.mail.values as { link?: string; undo_link?: string | null } | undefined;
  const link = kind === "email_change" ? values?.link : values?.undo_link;
  return link ? (new URL(link).searchParams.get("token") ?? undefined) : undefined;
}

/** Compares the addresses with the rows, and the primary address with the row of the user. */
async function expectRows(model: AddressModel, { addresses }: Real): Promise<void> {
  const rows = await flows.sql`
    select e.email, e.verified_at is not null as verified, e."primary" and u.email = e.email as "primary"
    from user_emails e join users u on u.id = e.user_id where u.id = ${owner.userId}`;
  const actual = rows.map(({ email, verified, primary }) => [addresses.indexOf(email), verified, primary]);
  expect(actual.sort()).toEqual(model.list().sort());
}

/** As the sweeper does; the trigger on reservations reads the clock of the database, which no test moves. */
async function sweep(): Promise<void> {
  await flows.deps.database.run("sweep", async (sql) => {
    await deleteExpiredReservations(sql, new Date(now()), BATCH);
    await deleteExpiredChanges(sql, new Date(now()), BATCH);
  });
}

/** A step of the history: the outcome of the flow equals the outcome of the model, and so do the rows. */
function command(name: string, run: (model: AddressModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      flows.clock.advance(SECOND_MS);
      await flows.sql`delete from outbox`;
      await run(model, real);
      await expectRows(model, real);
    },
    toString: () => name,
  };
}

const selection = async (real: Real, mailbox: number) => {
  const [row] = await flows.sql`
    select id from user_emails where user_id = ${owner.userId} and email = ${addressOf(real, mailbox)}`;
  return { ...(await credentialChange(flows, owner)), password: undefined, id: row?.id ?? crypto.randomUUID() };
};

async function requestOf(model: AddressModel, real: Real, kind: "add" | "change", mailbox: number): Promise<void> {
  const former = addressOf(real, model.primary);
  const email = addressOf(real, mailbox);
  const isFree = !model.isForeign(mailbox);
  const isPermitted = model.request(kind, mailbox, now());
  const field = kind === "add" ? "email" : "new_email";
  const change = {
    ...(await credentialChange(flows, owner)),
    password: undefined,
    kind,
    email,
    field,
  } as const;
  expect(codeOf(await requestAddress(flows.deps, change))).toBe(isPermitted ? "ok" : "conflict");
  if (!isPermitted) return;
  const link = await linkIn(email, "email_change");
  expect(link !== undefined).toBe(isFree);
  real.links.push(link);
  real.undoLinks.push(await linkIn(former, "email_change_notice"));
}

/** `isConfirmed`: the confirmation follows at once. */
const request = (kind: "add" | "change", mailbox: number, isConfirmed: boolean) =>
  command(`${isConfirmed ? "confirmed " : ""}request(${kind} ${mailbox})`, async (model, real) => {
    await requestOf(model, real, kind, mailbox);
    if (isConfirmed) await confirm(model, real, 0);
  });

/** The links of the last request are the most frequent. */
const fromEnd = (links: readonly unknown[], nth: number) => links.length - 1 - (nth % Math.max(links.length, 1));

async function confirm(model: AddressModel, { links }: Real, nth: number): Promise<void> {
  const index = fromEnd(links, nth);
  const token = links[index];
  if (token === undefined) return;
  const isDone = model.confirm(index, now());
  const outcome = await confirmAddress(flows.deps, { caller: owner, token, client: clientAt() });
  expect(codeOf(outcome)).toBe(isDone ? "ok" : "authentication_required");
}

const confirmation = (nth: number) =>
  command(`confirm(${nth} from the end)`, (model, real) => confirm(model, real, nth));

async function switchTo(model: AddressModel, real: Real, mailbox: number): Promise<void> {
  const former = addressOf(real, model.primary);
  const [isOwn, count] = [model.own.has(mailbox), model.requests.length];
  const isDone = model.switchTo(mailbox, now());
  const outcome = await switchPrimaryAddress(flows.deps, await selection(real, mailbox));
  expect(codeOf(outcome)).toBe(isDone ? "ok" : isOwn ? "conflict" : "not_found");
  if (model.requests.length === count) return;
  const undoLink = await linkIn(former, "email_change_notice");
  expect(undoLink !== undefined).toBe(model.requests.at(-1)?.hasUndo ?? false);
  real.links.push(undefined);
  real.undoLinks.push(undoLink);
}

const switching = (mailbox: number) => command(`switch(${mailbox})`, (model, real) => switchTo(model, real, mailbox));

/** A change or switch to an address and back, which random steps hardly ever reach. */
const roundTrip = (kind: "add" | "change", mailbox: number) =>
  command(`roundTrip(${kind} ${mailbox})`, async (model, real) => {
    for (const to of [mailbox, model.primary]) {
      if (!model.isVerified(to)) await requestOf(model, real, kind, to);
      if (!model.isVerified(to)) await confirm(model, real, 0);
      await switchTo(model, real, to);
    }
  });

const removal = (mailbox: number) =>
  command(`remove(${mailbox})`, async (model, real) => {
    const isOwn = model.own.has(mailbox);
    const isDone = isOwn && model.remove(mailbox, now());
    const outcome = await removeAddress(flows.deps, await selection(real, mailbox));
    expect(codeOf(outcome)).toBe(isDone ? "ok" : isOwn ? "conflict" : "not_found");
  });

const undoing = (nth: number) =>
  command(`undo(${nth} from the end)`, async (model, { undoLinks }) => {
    const index = fromEnd(undoLinks, nth);
    const token = undoLinks[index];
    if (token === undefined) return;
    const { primary } = model;
    const first = model.firstUndoableBy(primary, now());
    const isDone = model.undo(index, now());
    const outcome = await undoAddressChange(flows.deps, { token, client: clientAt() });
    expect(codeOf(outcome)).toBe(isDone ? "ok" : "authentication_required");
    await renewSession(owner);
    // P1: no later link takes the account from a mailbox with an earlier undo link.
    if (isDone && first >= 0 && first < index) expect(model.primary).toBe(primary);
  });

const otherTakes = (mailbox: number) =>
  command(`otherTakes(${mailbox})`, async (model, real) => {
    const email = addressOf(real, mailbox);
    const change = { ...(await credentialChange(flows, other)), password: undefined, kind: "add", email } as const;
    if (model.isForeign(mailbox)) return;
    const isDone = model.takeByOther(mailbox, now());
    unwrap(await requestAddress(flows.deps, { ...change, field: "email" }));
    const token = await linkIn(email, "email_change");
    expect(token !== undefined).toBe(isDone);
    if (token) unwrap(await confirmAddress(flows.deps, { caller: other, token, client: clientAt() }));
  });

const waiting = (hours: number) =>
  command(`wait(${hours} h)`, async () => {
    flows.clock.advance(hours * HOUR_MS);
    await sweep();
  });

/** Users of before, with new addresses and without requests. */
async function startHistory() {
  const addresses = Array.from({ length: MAILBOXES }, (_, index) => `m${index}-${crypto.randomUUID()}@example.test`);
  await flows.sql`delete from email_changes`;
  await flows.sql`delete from email_reservations`;
  for (const [{ userId }, mailbox] of [[owner, 0] as const, [other, TAKEN] as const]) {
    await flows.sql`
      update users set email = ${addresses[mailbox] ?? ""}, email_verified_at = now(), controlled_at = now()
      where id = ${userId}`;
    await flows.sql`delete from user_emails where user_id = ${userId} and not "primary"`;
  }
  await Promise.all([renewSession(owner), renewSession(other)]);
  return { model: new AddressModel([TAKEN]), real: { addresses, links: [], undoLinks: [] } };
}

test("No history of requests, links, undo links and time departs from the model (P1, G115, G116)", async () => {
  const mailbox = fc.nat({ max: MAILBOXES - 1 });
  const kind = fc.constantFrom("add" as const, "change" as const);
  const recent = fc.nat({ max: 4 });
  const commands = fc.commands<AddressModel, Real, false>(
    [
      fc.tuple(kind, mailbox, fc.constant(false)).map((input) => request(...input)),
      fc.tuple(kind, mailbox, fc.constant(true)).map((input) => request(...input)),
      fc.tuple(kind, mailbox).map((input) => roundTrip(...input)),
      recent.map(confirmation),
      recent.map(undoing),
      mailbox.map(switching),
      mailbox.map(removal),
      mailbox.map(otherTakes),
      fc.constantFrom(1, 23, 25, 6 * 24, 8 * 24).map(waiting),
    ],
    { maxCommands: COMMANDS_MAX, size: "max" },
  );
  const history = fc.asyncProperty(commands, (steps) => fc.asyncModelRun(startHistory, steps));
  await fc.assert(history, SETTINGS);
});
