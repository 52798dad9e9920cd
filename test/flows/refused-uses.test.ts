/**
 * A refusal that the caller can repair uses no single-use secret (decision 4): each secret is refused by a full pool or
 * a limit first, and then works. The list of secrets follows from the tables: a new column needs an entry.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/pg-core";
import type { Deps } from "../../src/deps.ts";
import { refresh } from "../../src/flows/auth/refresh.ts";
import { requestOwnDeletion } from "../../src/flows/deletions/request-own.ts";
import { requestEmailCode } from "../../src/flows/email-otp/request.ts";
import { verifyEmailCode } from "../../src/flows/email-otp/verify.ts";
import { acceptInvitation } from "../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../src/flows/invitations/create.ts";
import { challenge } from "../../src/flows/mfa/challenge.ts";
import { beginPasskeySignIn, completePasskeySignIn } from "../../src/flows/passkeys/sign-in.ts";
import { forgotPassword } from "../../src/flows/password/forgot.ts";
import { resetPassword } from "../../src/flows/password/reset.ts";
import { DEVICE_GRANT } from "../../src/vocabulary/grant-type.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  enrolledAccount,
  inviterOf,
  passwordShown,
  registerAccount,
  tokenIn,
  unwrap,
} from "../support/accounts.ts";
import { newEmail, PASSWORD } from "../support/client.ts";
import { declaredTables } from "../support/declared-tables.ts";
import { type Flows, openFlows } from "../support/flows.ts";
import { flowClient } from "../support/oauth-flows.ts";
import {
  authorizationCode,
  deviceCode,
  fullDeps,
  type Present,
  pushedObject,
  pushedRequest,
  refreshToken,
  requestObject,
  type UseContext,
} from "../support/oauth-uses.ts";
import { deletePassword } from "../support/states.ts";

let flows: Flows;
let account: Account;
let context: UseContext;

beforeAll(async () => {
  flows = await openFlows();
  account = await registerAccount(flows);
  const grantTypes = ["authorization_code", "refresh_token", DEVICE_GRANT] as const;
  context = { flows, account, application: await flowClient(flows, account, { grantTypes }) };
});
afterAll(() => flows.close());

async function refusesThenWorks(present: Present): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    expect(["rate_limited", "temporarily_unavailable"]).toContain(await present(fullDeps(flows.deps)));
  }
  expect(await present(flows.deps)).toBe("ok");
  expect(await present(flows.deps)).not.toBe("ok");
}

async function emailedCode(): Promise<Present> {
  const { email } = await registerAccount(flows);
  await requestEmailCode(flows.deps, { email, client: clientAt() });
  await flows.deps.background.idle();
  const { code } = await flows.newestEmail(email, "email_code");
  const input = { email, code, trustToken: undefined, client: clientAt() };
  return async (deps) => codeOf(await verifyEmailCode(deps, input));
}

async function resetLink(): Promise<Present> {
  const { email } = await registerAccount(flows);
  await forgotPassword(flows.deps, { email, client: clientAt() });
  await flows.deps.background.idle();
  const token = tokenIn(await flows.newestEmail(email, "password_reset"));
  const input = { token, newPassword: "another horse, another battery", client: clientAt() };
  return async (deps) => codeOf(await resetPassword(deps, input));
}

async function invitation(): Promise<Present> {
  const caller = await inviterOf(flows, account.signedIn);
  const email = newEmail();
  unwrap(await createInvitation(flows.deps, { caller, email, role: "member", client: clientAt() }));
  const token = tokenIn(await flows.newestEmail(email, "invitation"));
  const input = { token, caller: undefined, password: PASSWORD, displayName: undefined, client: clientAt() };
  return async (deps) => codeOf(await acceptInvitation(deps, input));
}

async function sessionRefreshToken(): Promise<Present> {
  const { signedIn } = await registerAccount(flows);
  let presented = signedIn.tokens.refreshToken;
  return async (deps) => {
    const input = { refreshToken: presented, admissionOf: () => undefined, client: clientAt() };
    const outcome = codeOf(await refresh(deps, input));
    if (outcome === "ok") presented = `${presented}x`;
    return outcome;
  };
}

async function recoveryCode(): Promise<Present> {
  const enrolled = await enrolledAccount(flows);
  const mfaToken = await passwordShown(flows, enrolled.email);
  const factors = { recovery_code: enrolled.recoveryCodes[0] ?? "" };
  const input = { admission: undefined, mfaToken, client: clientAt(), factors };
  return async (deps) => codeOf(await challenge(deps, input));
}

/** The secrets of the tables that work once, by column. */
const SINGLE_USE: Readonly<Record<string, () => Promise<Present>>> = {
  "oauth_codes.code_hash": () => authorizationCode(context),
  "oauth_token_families.refresh_jti": () => refreshToken(context),
  "oauth_device_codes.device_code_hash": () => deviceCode(context),
  "oauth_requests.handle_hash": () => pushedRequest(context),
  "oauth_assertions.jti_hash": () => requestObject(context),
  "email_codes.code_hash": emailedCode,
  "mailed_tokens.token_hash": resetLink,
  "invitations.token_hash": invitation,
  "sessions.refresh_jti": sessionRefreshToken,
  "recovery_codes.code_hash": recoveryCode,
};

/** Single-use secrets whose only refusal for a time is the limit of the route, which counts before the flow. */
const REFUSED_BY_THE_ROUTE = [
  "credential_review_links.token_hash",
  "deletion_tokens.token_hash",
  "email_changes.token_hash",
  "email_changes.undo_token_hash",
  "sign_in_notices.token_hash",
  "sso_setup_links.token_hash",
];

/** Single-use secrets with a test of their own for a refused use. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  "passkey_challenges.challenge": "the test below; a presentation that succeeds needs an authenticator",
  "sessions.mfa_token_jti": "test/flows/auth/signing-slots.test.ts: a challenge is refused",
  "sso_requests.id_hash": "test/http/sso-sign-in.test.ts: a refused message does not consume the request (G152)",
  "sso_outcomes.handle_hash": "an outcome of the same request",
  "sso_tests.handle_hash": "an outcome of the same request",
  "sso_consumed.id_hash": "recorded in the transaction of the accepted message",
  "oauth_states.state_hash": "the response of the provider contains a code that the provider has used up",
  "federation_uses.jti_hash": "test/http/workload-trusts.test.ts: a refused exchange consumes nothing (G514)",
  "email_codes.link_hash": "one credential with the code of the row",
  "sign_ups.code_hash": "test/flows/email-otp/sign-up.test.ts: a full signing pool consumes nothing",
  "sign_ups.link_hash": "one credential with the code of the row",
  "oauth_registration_tokens.token_hash": "test/http/oauth-registration.test.ts: counts uses of accepted registrations",
};

/** Columns that hold no secret with a single use. */
const NO_SINGLE_USE = [
  "api_keys.key_hash",
  "credential_reviews.token_hash",
  "deletions.token_hash",
  "email_codes.browser_hash",
  "oauth_client_secrets.secret_hash",
  "oauth_clients.registration_token_hash",
  "oauth_requests.browser_hash",
  "oauth_states.browser_hash",
  "oauth_token_families.access_jti",
  "oauth_token_families.code_hash",
  "oauth_token_families.previous_refresh_jti",
  "released_slugs.slug_hash",
  "sessions.access_jti",
  "sessions.previous_refresh_jti",
  "sessions.sso_name_id_hash",
  "sessions.sso_subject_hash",
  "sign_in_notices.browser_hash",
  "sso_identities.subject_hash",
  "sso_outcomes.browser_hash",
  "sso_requests.browser_hash",
  "sso_setup_links.browser_hash",
  "sign_ups.browser_hash",
  "sign_ups.network_hash",
  "transparency_log.root_hash",
  "trusted_browsers.token_hash",
  "unlinked_identities.identity_hash",
];

test("every column with the hash of a secret or the id of a token is in one list of this file (G430)", async () => {
  const tables = (await declaredTables()).map(getTableConfig);
  const columns = tables.flatMap(({ name, columns: all }) =>
    all.filter(isOfSecret).map((column) => `${name}.${column.name}`),
  );
  const listed = [SINGLE_USE, TESTED_ELSEWHERE].flatMap((each) => Object.keys(each));
  expect([...listed, ...REFUSED_BY_THE_ROUTE, ...NO_SINGLE_USE].sort()).toEqual(columns.sort());
});

function isOfSecret(column: { readonly name: string; getSQLType(): string }): boolean {
  return /_jti$/.test(column.name) || (column.getSQLType() === "bytea" && /_hash$|^challenge$/.test(column.name));
}

test.each(Object.entries(SINGLE_USE))(
  "%s: a refusal for a time uses nothing, and the secret works once (G430)",
  async (_, begin) => {
    await refusesThenWorks(await begin());
  },
);

test("a signed request object outlasts a push that is refused for waiting requests (G430)", async () => {
  await refusesThenWorks(await pushedObject(context));
});

test("the challenge of a passkey outlasts a full pool (G430)", async () => {
  const { challenge: bytes } = (await beginPasskeySignIn(flows.deps)) as { readonly challenge: string };
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge: bytes })).toString("base64url");
  const credential = { id: "x", rawId: "x", type: "public-key", response: { clientDataJSON } };
  const present = (deps: Deps) => completePasskeySignIn(deps, { credential, client: clientAt() });
  expect(codeOf(await present(fullDeps(flows.deps)))).toBe("rate_limited");
  expect(await present(flows.deps)).toMatchObject({ error: { cause: "unknown_credential" } });
});

test("the emailed code for a deletion outlasts a refused deletion, and signs in (G430)", async () => {
  const owner = await registerAccount(flows);
  const host = await inviterOf(flows, owner.signedIn);
  const email = newEmail();
  unwrap(await createInvitation(flows.deps, { caller: host, email, role: "member", client: clientAt() }));
  const token = tokenIn(await flows.newestEmail(email, "invitation"));
  const joining = { token, caller: undefined, password: PASSWORD, displayName: undefined, client: clientAt() };
  unwrap(await acceptInvitation(flows.deps, joining));
  await deletePassword(flows.sql, owner.userId);
  await requestEmailCode(flows.deps, { email: owner.email, client: clientAt() });
  await flows.deps.background.idle();
  const { code } = await flows.newestEmail(owner.email, "email_code");
  const caller = await callerOf(flows, owner.signedIn);
  const refused = await requestOwnDeletion(flows.deps, { caller, password: undefined, code, client: clientAt() });
  expect(codeOf(refused)).toBe("conflict");
  const input = { email: owner.email, code, trustToken: undefined, client: clientAt() };
  expect(codeOf(await verifyEmailCode(flows.deps, input))).toBe("ok");
});
