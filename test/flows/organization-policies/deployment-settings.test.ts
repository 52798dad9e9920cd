/** Policies tighten the settings of the deployment and never loosen a setting (G216). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { replacePolicies } from "../../../src/flows/organization-policies/policies.ts";
import { listSignInProviders } from "../../../src/flows/social-sign-in/start.ts";
import { authorizePermission } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { validateNewPassword } from "../../../src/flows/steps/credentials/replace-password.ts";
import { listCheck } from "../../../src/providers/password-check/list.ts";
import { DEFAULT_POLICY, OWN_METHODS } from "../../../src/vocabulary/policy-settings.ts";
import { callerOf, clientAt, HOUR_MS, registerAccount, unwrap } from "../../support/accounts.ts";
import { type Flows, openFlows } from "../../support/flows.ts";

let flows: Flows;
beforeAll(async () => {
  flows = await openFlows({ SERVICE_SESSION_MAX_AGE_SECS: "3600" });
});
afterAll(() => flows.close());

test("The loosest policy extends no session, and permits no method or password beyond the deployment.", async () => {
  const owner = await registerAccount(flows);
  const session = await callerOf(flows, owner.signedIn);
  const caller = unwrap(await authorizePermission(flows.deps, session, owner.organizationId, "policies.manage"));
  const lifetimes = { sessionMaxHours: 2160, sessionIdleMinutes: 43_200 };
  const passwords = { passwordMinLength: 12, passwordCheck: false };
  const settings = { ...DEFAULT_POLICY, ...lifetimes, ...passwords, methods: OWN_METHODS };
  const change = { policiesAt: null, confirm: false, revision: undefined, client: clientAt() };
  unwrap(await replacePolicies(flows.deps, { caller, settings, ...change }));
  const rules: unknown[] = [];
  const deps = { ...flows.deps, passwordCheck: await listCheck() };
  for (const password of ["eleven char", "password1234", "a sentence of one person alone"]) {
    const valid = await validateNewPassword(deps, "new_password", password, session);
    rules.push(valid.ok ? "permitted" : valid.error.rule);
  }
  expect(rules).toEqual(["too_short", "common_password", "permitted"]);
  expect(listSignInProviders(flows.deps)).toEqual([]);
  expect(await flows.deps.revocations.session(session.id)).toBeDefined();
  flows.clock.advance(HOUR_MS);
  expect(await flows.deps.revocations.session(session.id)).toBeUndefined();
});
