import type { ProblemCode, Refusal } from "../base/problem.ts";
import { type Reply, reply } from "./reply.ts";

/** Status and category of each code (docs/contract.md, section 2.7). A code without a row does not compile. */
const PROBLEM_STATUS = {
  authentication_required: { status: 401, type: "authentication_error" },
  conflict: { status: 409, type: "conflict" },
  csrf_failed: { status: 403, type: "authorization_error" },
  forbidden: { status: 403, type: "authorization_error" },
  internal_error: { status: 500, type: "internal_error" },
  invalid_input: { status: 400, type: "validation_error" },
  license_required: { status: 403, type: "license_required" },
  mfa_required: { status: 401, type: "mfa_required" },
  not_found: { status: 404, type: "not_found" },
  payment_required: { status: 402, type: "payment_required" },
  precondition_failed: { status: 412, type: "conflict" },
  rate_limited: { status: 429, type: "rate_limited" },
  sso_required: { status: 403, type: "authorization_error" },
} as const satisfies Record<ProblemCode, { status: number; type: string }>;

export const PROBLEM_CODES = Object.keys(PROBLEM_STATUS) as readonly ProblemCode[];
export const PROBLEM_TYPES = [...new Set(Object.values(PROBLEM_STATUS).map(({ type }) => type))];

export function typeOf(code: ProblemCode) {
  return PROBLEM_STATUS[code].type;
}

export function statusOf(code: ProblemCode): number {
  return PROBLEM_STATUS[code].status;
}

/** Whether a refusal is a failure of an unavailable dependency: the failure has the time of a retry. */
export function isTemporaryFailure({ code, retryAfterSeconds }: Pick<Refusal, "code" | "retryAfterSeconds">): boolean {
  return code === "internal_error" && retryAfterSeconds !== undefined;
}

export function statusOfRefusal(refusal: Refusal): number {
  return isTemporaryFailure(refusal) ? 503 : statusOf(refusal.code);
}

/** The error envelope (docs/contract.md, section 2.6). `cause` and `reason` are for the service and not included. */
export function envelope<Code extends ProblemCode>({
  code,
  message,
  fields,
  organizations,
  channels,
  continueAt,
}: Refusal<Code>) {
  const details = {
    ...(fields ? { fields } : {}),
    ...(organizations ? { organizations } : {}),
    ...(channels ? { channels } : {}),
    ...(continueAt === undefined ? {} : { continue_at: continueAt }),
  };
  return { error: { code, message, type: typeOf(code), ...details } };
}

/** A refusal that also sets or clears cookies. */
export interface RefusalWithCookies<Code extends ProblemCode = ProblemCode> extends Refusal<Code> {
  readonly cookies: readonly string[];
}

export function refusalReply(refusal: Refusal | RefusalWithCookies): Reply {
  const headers: Record<string, string> =
    refusal.retryAfterSeconds === undefined ? {} : { "retry-after": String(refusal.retryAfterSeconds) };
  const cookies = "cookies" in refusal ? refusal.cookies : [];
  return reply(statusOfRefusal(refusal), envelope(refusal), { headers, cookies });
}
