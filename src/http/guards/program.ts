/** The rates of programs (docs/contract.md, section 35.12). */
import { type LimitState, type Refusal, rateLimited } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import { WRITE_TURN_RETRY_AFTER_SECONDS } from "../../limits/management-limits.ts";
import type { KeyCaller } from "./api-key.ts";
import { admissionOf, admitRequest } from "./limit.ts";

/** What an endpoint says about the rates of programs. */
interface ProgramRule {
  readonly method: string;
  readonly refusals?: "oauth" | "scim" | undefined;
  readonly countsCaller?: boolean;
  readonly isLongPoll?: boolean;
}

type ProgramCaller = KeyCaller | { readonly via: "bearer" | "cookie" } | undefined;

const NO_TURN = err(
  rateLimited("program_writes", WRITE_TURN_RETRY_AFTER_SECONDS, "writes of programs at once: no turn in time"),
);

/** Counts a request of a program, whatever its outcome. A directory has the limit of its organization instead. */
export async function admitProgram(
  deps: Pick<Deps, "config" | "clock" | "exhaustedLimits" | "state">,
  { refusals }: ProgramRule,
  { key }: KeyCaller,
  counted: LimitState[],
): Promise<Result<void, Refusal<"rate_limited">>> {
  if (refusals === "scim") return ok(undefined);
  const admission = admissionOf(deps, "program", () => key.serviceAccountId, counted);
  return await admitRequest(deps, admission);
}

/**
 * Counts a batch of a program as several requests, of which one is counted already. A batch beyond the rest of the
 * window is refused and counts as the one request, so that a smaller batch fits.
 */
export async function admitBatch(
  deps: Pick<Deps, "config" | "clock" | "exhaustedLimits" | "state">,
  caller: ProgramCaller,
  requests: number,
  counted: LimitState[],
): Promise<Result<void, Refusal<"rate_limited">>> {
  if (caller?.via !== "key" || requests <= 1) return ok(undefined);
  const { key } = caller;
  const scope = admissionOf(deps, "program", () => key.serviceAccountId, counted)?.scope;
  const place = counted.findIndex(({ name }) => name === "program");
  const before = counted[place];
  if (!scope || !before) return ok(undefined);
  const events = requests - 1;
  const { count, resetMs } = await deps.state.count(scope.key, scope.windowMs, { events, limit: scope.limit });
  const isWithin = count <= scope.limit;
  const remaining = Math.max(0, scope.limit - (isWithin ? count : count - events));
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  const state = { ...before, remaining, resetSeconds };
  counted[place] = state;
  if (isWithin) return ok(undefined);
  return err(rateLimited("limit_program", resetSeconds, "limit program: a batch", { limit: state }));
}

/** Runs a handler; the writes of a program run in turn, with the other programs of the organization or platform. */
export async function inWriteTurn<T>(
  { programWrites }: Pick<Deps, "programWrites">,
  endpoint: ProgramRule,
  caller: ProgramCaller,
  handle: () => Promise<Result<T, Refusal>> | Result<T, Refusal>,
): Promise<Result<T, Refusal>> {
  if (caller?.via !== "key" || !isWrite(endpoint)) return await handle();
  const release = await programWrites.acquire(caller.key);
  if (!release) return NO_TURN;
  try {
    return await handle();
  } finally {
    release();
  }
}

/** A check of permissions is a read; a poll waits for events. */
function isWrite({ method, countsCaller, isLongPoll }: ProgramRule): boolean {
  return method !== "GET" && countsCaller !== false && !isLongPoll;
}
