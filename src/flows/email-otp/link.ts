import { hashOpaqueToken } from "../../base/opaque-token.ts";
import { type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { cte } from "../../database/statement.ts";
import { consumeEmailCode, findEmailCodeOfLink } from "../../models/email-code/email-code.ts";
import { findSignUpOfLink, type PendingSignUp } from "../../models/sign-up/sign-up.ts";
import { findSignInCandidate, type SignInCandidate } from "../../models/user/sign-in-candidate.ts";
import { admitOwnMethod, closedRefusal, type NotAdmitted } from "../steps/sign-in/admit-candidate.ts";
import { completeFirstFactor } from "../steps/sign-in/complete-first-factor.ts";
import { CHANGED_MEANWHILE } from "../steps/sign-in/complete-sign-in.ts";
import { recordRefusedSignIn } from "../steps/sign-in/record-refused-sign-in.ts";
import { acquireSigningSlot } from "../steps/tokens/issue-session-tokens.ts";
import type { SignUpDeps, SignUpDetails } from "./complete-sign-up.ts";
import { type CodeFailure, type CodeOutcome, completePending } from "./sign-up.ts";

export interface LinkInput extends SignUpDetails {
  readonly token: string;
  /** The cookie of the browser that asked for the email. */
  readonly browserToken: string | undefined;
  readonly trustToken: string | undefined;
  readonly client: RequestContext;
}

/** One identical response for every reason, the absent cookie included. */
const REFUSED = refusal(
  "authentication_required",
  "The link has expired, or belongs to another browser. Enter the code of the email in the browser that asked.",
);

/** A live link in the browser that asked for the email. */
export interface FoundLink {
  /** The id of the code of an account; undefined for a sign-up. */
  readonly codeId: string | undefined;
  readonly pending: PendingSignUp | undefined;
  readonly candidate: SignInCandidate | undefined;
  /** The address of the email. */
  readonly email: string;
  readonly redirectTo: string | null;
}

type LinkDeps = Pick<SignUpDeps, "clock" | "database">;

/**
 * Finds a link by its token and the cookie of the browser that asked. Undefined in every other browser: a scanner, the
 * browser of a mail application, another device. Consumes nothing.
 */
export async function findLink(
  deps: LinkDeps,
  { token, browserToken, trustToken, client }: Omit<LinkInput, keyof SignUpDetails>,
): Promise<FoundLink | undefined> {
  const [linkHash, browserHash] = [hashOpaqueToken(token), hashOpaqueToken(browserToken)];
  if (!linkHash || !browserHash) return undefined;
  const at = new Date(deps.clock.now());
  const presented = { linkHash, browserHash };
  const code = await deps.database.run("email_code.find_link", (sql) => findEmailCodeOfLink(sql, presented, at));
  const pending = code
    ? undefined
    : await deps.database.run("sign_up.find_link", (sql) => findSignUpOfLink(sql, presented, at));
  const found = code ?? pending;
  if (!found) return undefined;
  const { email, redirectTo } = found;
  const trustTokenHash = hashOpaqueToken(trustToken);
  const question = { trustTokenHash, method: "email_otp", address: client.ipAddress, at } as const;
  // By the address of the email: the link proves this mailbox, and no other mailbox of the user.
  const candidate = await deps.database.run("user.find_sign_in_candidate", (sql) =>
    findSignInCandidate(sql, { email }, question),
  );
  if (code && candidate?.userId !== code.userId) return undefined;
  return { codeId: code?.id, pending, candidate, email, redirectTo };
}

/**
 * POST /v1/auth/email-otp/link (docs/contract.md, section 37.4): the link of an emailed code is a first factor in the
 * browser that asked. Code and link are one credential: the use of one ends the other. A refusal consumes nothing.
 */
export async function signInByLink(deps: SignUpDeps, input: LinkInput): Promise<Result<CodeOutcome, LinkRefusal>> {
  return await signInByFoundLink(deps, input, await findLink(deps, input));
}

type LinkRefusal = Refusal<"authentication_required" | "forbidden" | "rate_limited" | "sso_required">;

/** As `signInByLink`. `found`: what `findLink` found for the input. */
export async function signInByFoundLink(
  deps: SignUpDeps,
  input: LinkInput,
  found: FoundLink | undefined,
): Promise<Result<CodeOutcome, LinkRefusal>> {
  if (!found) {
    await recordRefusedSignIn(deps, refusedLink(input, undefined, "no_live_link"));
    return err(REFUSED);
  }
  const { candidate, email } = found;
  const slot = acquireSigningSlot(deps, candidate?.userId ?? email);
  if (!slot.ok) return slot;
  using _slot = slot.value;
  const outcome = await complete(deps, input, found);
  if (outcome.ok) return outcome;
  const reason = outcome.error;
  if (typeof reason !== "string") return err(reason);
  await recordRefusedSignIn(deps, refusedLink(input, candidate, reason));
  return err(closedRefusal(candidate, reason) ?? { ...REFUSED, cause: reason });
}

function refusedLink({ client }: LinkInput, candidate: SignInCandidate | undefined, reason: string) {
  return { method: "email_otp", reason, candidate, client } as const;
}

async function complete(
  deps: SignUpDeps,
  { displayName, organizationName, client }: LinkInput,
  { codeId, pending, candidate }: FoundLink,
): Promise<Result<CodeOutcome, CodeFailure | NotAdmitted | Refusal<"rate_limited">>> {
  const at = new Date(deps.clock.now());
  if (pending) return await completePending(deps, { pending, candidate, displayName, organizationName, client, at });
  const admitted = admitOwnMethod(deps, candidate);
  if (!admitted.ok) return admitted;
  if (codeId === undefined) return err("no_live_code");
  const outcome = await completeFirstFactor(deps, {
    candidate: admitted.value,
    proof: { kind: "email_code" },
    authMethod: "email_otp",
    client,
    holdsSigningSlot: true,
    consume: (sql) => consumeEmailCode(sql, codeId, sql`from ${cte(sql, "membership")}`),
  });
  if (outcome.ok) return ok(outcome.value);
  return err(outcome.error === CHANGED_MEANWHILE ? "used_meanwhile" : outcome.error);
}
