/**
 * A form that the browser sends twice, as by a double click without scripts, is executed once: the second request gets
 * the outcome of the first. Two requests are one press if session or cookies, address and all fields are equal. While
 * the first is executed, this holds for every form. After a success this holds for the form of one displayed page
 * (`PRESS_FIELD`): for ten seconds, and for ten minutes if the page of the outcome is kept, such as the page with a new
 * key.
 *
 * A refusal ends the press at once, so that the form can be sent again. Lost: the form is executed twice.
 */
import { createHash, createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Refusal } from "../base/problem.ts";
import { ok, type Result } from "../base/result.ts";
import { open, seal } from "../base/seal.ts";
import type { Deps } from "../deps.ts";
import type { AnyCall } from "../http/endpoint.ts";
import type { Caller } from "../http/guards/caller.ts";
import {
  KEPT_PAGE_LIFETIME_SECONDS,
  KEPT_PAGE_MAX_BYTES,
  PRESS_LIFETIME_MS,
  PRESS_REPEATED_MS,
  PRESS_WAIT_MS,
  PRESS_WAIT_STEP_MS,
} from "../limits/kept-page-limits.ts";
import { pathOf } from "./addresses.ts";
import { KEPT_PAGE_COOKIE } from "./kept-pages.ts";
import type { PageReply } from "./page-reply.ts";

/** The hidden field with the key of the displayed page. */
export const PRESS_FIELD = "press";

type PressDeps = Pick<Deps, "clock" | "csrfKey" | "random" | "sealing" | "state">;
type PressCall = Pick<AnyCall, "client" | "cookies" | "file" | "parameters" | "request"> & {
  readonly caller: Caller | undefined;
};
type Outcome = Pick<PageReply, "cookies" | "headers" | "result" | "status">;

/** Executes a form, or returns the outcome of the same press. */
export async function pressOnce(
  deps: PressDeps,
  call: PressCall,
  execute: () => Promise<Result<PageReply, Refusal>>,
): Promise<Result<PageReply, Refusal>> {
  const id = idOf(deps, call);
  const first = await claimOrAwait(deps, id);
  if (first !== "claimed") return first ? ok(first) : await execute();
  let keptMs = 0;
  try {
    const outcome = await execute();
    if (outcome.ok && outcome.value.status === 303 && outcome.value.refused === undefined) {
      const lifetimeMs = outcome.value.lasts ? KEPT_PAGE_LIFETIME_SECONDS * 1000 : PRESS_REPEATED_MS;
      const sealed = sealedOutcome(deps, id, outcome.value);
      if (sealed.length <= KEPT_PAGE_MAX_BYTES) await deps.state.keep(outcomeKey(id), sealed, lifetimeMs);
      if (call.parameters.has(PRESS_FIELD)) keptMs = lifetimeMs;
    }
    return outcome;
  } finally {
    const claim = claimKey(id);
    await (keptMs > 0 ? deps.state.mark(claim, keptMs) : deps.state.unmark(claim));
  }
}

/** Undefined: neither claimed nor known in time, or the shared state is away; the form is executed. */
async function claimOrAwait(deps: PressDeps, id: string): Promise<PageReply | "claimed" | undefined> {
  const giveUpAt = deps.clock.monotonic() + PRESS_WAIT_MS;
  for (;;) {
    const isFirst = await deps.state.markFirst(claimKey(id), PRESS_LIFETIME_MS);
    if (isFirst !== false) return isFirst ? "claimed" : undefined;
    const outcome = await outcomeOf(deps, id);
    if (outcome || deps.clock.monotonic() >= giveUpAt) return outcome;
    await sleep(PRESS_WAIT_STEP_MS);
    const finished = await outcomeOf(deps, id);
    if (finished) return finished;
  }
}

async function outcomeOf({ sealing, state }: PressDeps, id: string): Promise<PageReply | undefined> {
  const sealed = await state.kept(outcomeKey(id));
  const opened = sealed && open(sealing, outcomeKey(id), sealed);
  return opened ? (JSON.parse(opened.toString()) as Outcome) : undefined;
}

function sealedOutcome({ random, sealing }: PressDeps, id: string, reply: PageReply): Buffer {
  const { cookies, headers, result, status } = reply;
  const outcome: Outcome = { cookies, headers, status, ...(result === undefined ? {} : { result }) };
  return seal(sealing, random, outcomeKey(id), Buffer.from(JSON.stringify(outcome)));
}

/**
 * Keyed, because forms contain passwords and codes, which a plain hash would let a reader of the state guess. The
 * outcome can begin a session, so a visitor is known by every cookie: by the token of a link, or of a waiting sign-in.
 */
function idOf({ csrfKey }: PressDeps, { caller, client, cookies, file, parameters, request }: PressCall): string {
  const { [KEPT_PAGE_COOKIE]: _, ...own } = cookies;
  const sender = caller ? caller.session.id : Object.entries(own).sort();
  const header = (name: string) => request.headers.get(name);
  const displayed = parameters.has(PRESS_FIELD)
    ? []
    : [client.network, ...["referer", "user-agent", "accept-language"].map(header)];
  const sent = [pathOf(request), [...parameters], createHash("sha256").update(file).digest("base64url")];
  return createHmac("sha256", csrfKey)
    .update(JSON.stringify(["press", sender, displayed, sent]))
    .digest("base64url");
}

function claimKey(id: string): string {
  return `service:press:${id}`;
}

function outcomeKey(id: string): string {
  return `service:pressed:${id}`;
}
