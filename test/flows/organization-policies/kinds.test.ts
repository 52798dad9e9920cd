/** Every kind of policy of an organization: preview, start, end of sessions, and no lock-out (G255). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ProblemReason } from "../../../src/base/problem.ts";
import { login } from "../../../src/flows/auth/login.ts";
import { refresh } from "../../../src/flows/auth/refresh.ts";
import { createInvitation } from "../../../src/flows/invitations/create.ts";
import { approveDevice } from "../../../src/flows/oauth/device/decide.ts";
import { findDeviceByCode } from "../../../src/flows/oauth/device/find-request.ts";
import { requestDeviceCodes } from "../../../src/flows/oauth/device/request-codes.ts";
import { readParameters } from "../../../src/flows/oauth/request/parameters.ts";
import { endSessionsWithoutAccess } from "../../../src/flows/organization-policies/end-sessions-without-access.ts";
import { previewPolicies, readPolicies, replacePolicies } from "../../../src/flows/organization-policies/policies.ts";
import { authorizePermission, type MemberCaller } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { validateNewPassword } from "../../../src/flows/steps/credentials/replace-password.ts";
import { admitSession, permitsClient } from "../../../src/flows/steps/sessions/organization-rules.ts";
import type { SignInResult } from "../../../src/flows/steps/sign-in/complete-sign-in.ts";
import { createTrustedBrowser } from "../../../src/flows/trusted-browsers/create.ts";
import type { SessionView } from "../../../src/models/session/session.ts";
import { DEVICE_GRANT } from "../../../src/vocabulary/grant-type.ts";
import {
  AFFECTING_RULES,
  type AffectingRule,
  DEFAULT_POLICY,
  type PolicySettings,
} from "../../../src/vocabulary/policy-settings.ts";
import {
  type Account,
  callerOf,
  clientAt,
  codeOf,
  credentialChange,
  enrol,
  HOUR_MS,
  inviterOf,
  MINUTE_MS,
  registerAccount,
  unwrap,
} from "../../support/accounts.ts";
import { PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { exchangeIn, type FlowClient, flowClient, flowCode, refreshIn } from "../../support/oauth-flows.ts";

let flows: Flows;
let application: FlowClient;
beforeAll(async () => {
  flows = await openFlows();
  const grantTypes = ["authorization_code", "refresh_token", DEVICE_GRANT] as const;
  application = await flowClient(flows, await registerAccount(flows), { firstParty: false, grantTypes });
  await flows.deps.oauthClients.changed();
});
afterAll(() => flows.close());

/** The time until the start of a policy. */
const WAIT_MS = 5 * MINUTE_MS;
const OFFICE = "192.0.2.1";
const ELSEWHERE = "198.51.100.9";

interface World {
  readonly owner: Account;
  readonly member: Account;
  /** The member's sign-in to the owner's organization. */
  readonly signedIn: SignInResult;
  readonly sessionId: string;
  /** The member's trusted browser. */
  readonly trustToken: string | undefined;
}

/** The response to an action, as the code of the problem or the state of the sign-in. */
type Attempt = (world: World) => Promise<string>;

interface Kind {
  readonly settings: Partial<PolicySettings>;
  /** An action that the policy refuses. */
  readonly attempt: Attempt;
  readonly refused: string;
  /** The rules by which the preview counts the member. */
  readonly counted: readonly AffectingRule[];
  readonly endsSession?: true;
  /** The policy ends the access of the member's application. */
  readonly endsApplication?: true;
  /** The reason of the refusal for an owner without the factor. */
  readonly lockOut?: ProblemReason;
  readonly needs?: "application" | "trusted_browser";
  /** The address of the member's sign-in. */
  readonly from?: string;
  /** The age of the member's session at the change. */
  readonly age?: number;
}

function enter(email: string, organizationId: string, { from = OFFICE, trustToken }: EntryOptions = {}) {
  const input = { email, password: PASSWORD, organizationId, trustToken, admission: undefined };
  return login(flows.deps, { ...input, client: clientAt(from) });
}
interface EntryOptions {
  readonly from?: string;
  readonly trustToken?: string | undefined;
}

const signingIn: Attempt = async ({ owner, member, trustToken }) => {
  const outcome = await enter(member.email, owner.organizationId, { trustToken });
  return outcome.ok ? outcome.value.status : outcome.error.code;
};

const live = async ({ sessionId }: Pick<World, "sessionId">): Promise<SessionView | undefined> =>
  await flows.deps.revocations.session(sessionId);

/** An action in the member's session. */
const inSession =
  (act: (session: SessionView, world: World) => Promise<string> | string): Attempt =>
  async (world) => {
    const session = await live(world);
    return session ? await act(session, world) : "authentication_required";
  };

const working = inSession((session) => codeOf(admitSession({ ...session, address: () => ELSEWHERE }, undefined)));
const authorizing = inSession(async (session) =>
  (await permitsClient(flows.deps, session, application.client)) ? "success" : "access_denied",
);
const choosing = (password: string) =>
  inSession(async (session) => {
    const valid = await validateNewPassword(flows.deps, "new_password", password, session);
    return valid.ok ? "success" : valid.error.rule;
  });

const connecting = inSession(async (session) => {
  const parameters = readParameters(new URLSearchParams({ scope: "openid" }));
  if (!parameters.ok) throw new Error(parameters.error.description);
  const authorization = `Basic ${Buffer.from(`${application.client.id}:${application.secret}`).toString("base64")}`;
  const presented = { authorization, parameters: parameters.value, requestContext: clientAt() };
  const codes = await requestDeviceCodes(flows.deps, presented);
  if (!codes.ok) throw new Error(codes.error.description);
  const find = { session, userCode: codes.value.userCode, client: clientAt() };
  const { request } = unwrap(await findDeviceByCode(flows.deps, find));
  return codeOf(await approveDevice(flows.deps, { session, id: request.id, requestContext: clientAt() }));
});

const inviting: Attempt = async ({ owner }) => {
  const caller = await inviterOf(flows, owner.signedIn);
  const email = `${crypto.randomUUID()}@elsewhere.test`;
  return codeOf(await createInvitation(flows.deps, { caller, email, role: "member", client: clientAt() }));
};

const LONG = "a long sentence nobody else uses";
const KINDS: Readonly<Record<string, Kind>> = {
  mfa: { settings: { mfa: "required" }, attempt: working, refused: "mfa_required", counted: ["mfa"] },
  "mfa by a passkey": {
    settings: { mfa: "phishing_resistant" },
    attempt: working,
    refused: "mfa_required",
    counted: ["mfa"],
    lockOut: "policy_passkey",
  },
  methods: {
    settings: { methods: ["passkey"] },
    attempt: signingIn,
    refused: "forbidden",
    counted: ["methods", "session"],
    lockOut: "policy_methods",
    endsSession: true,
  },
  "session lifetime": {
    settings: { sessionMaxHours: 1 },
    attempt: working,
    refused: "authentication_required",
    counted: ["session"],
    endsSession: true,
    age: 2 * HOUR_MS,
  },
  "idle time": {
    settings: { sessionIdleMinutes: 30 },
    attempt: working,
    refused: "authentication_required",
    counted: ["session"],
    endsSession: true,
    age: HOUR_MS,
  },
  "address ranges": {
    settings: { allowedIps: ["192.0.2.0/24"] },
    attempt: working,
    refused: "forbidden",
    counted: ["allowed_ips"],
    from: ELSEWHERE,
  },
  "invitation domains": {
    settings: { inviteDomains: ["corporation.test"] },
    attempt: inviting,
    refused: "forbidden",
    counted: ["invite_domains"],
  },
  "third-party applications": {
    settings: { thirdPartyClients: "approved" },
    attempt: authorizing,
    refused: "access_denied",
    counted: ["third_party_clients"],
    needs: "application",
    endsApplication: true,
  },
  "third-party applications, none": {
    settings: { thirdPartyClients: "none" },
    attempt: authorizing,
    refused: "access_denied",
    counted: ["third_party_clients"],
    needs: "application",
    endsApplication: true,
  },
  "device flow": {
    settings: { deviceFlow: false },
    attempt: connecting,
    refused: "forbidden",
    counted: ["device_flow"],
    needs: "application",
  },
  "trusted browsers": {
    settings: { trustedBrowsers: false },
    attempt: signingIn,
    refused: "mfa_required",
    counted: ["trusted_browsers"],
    needs: "trusted_browser",
  },
  "password length": {
    settings: { passwordMinLength: 40 },
    attempt: choosing(LONG),
    refused: "too_short",
    counted: ["passwords"],
  },
  "common passwords": {
    settings: { passwordCheck: true },
    attempt: choosing("password1234"),
    refused: "common_password",
    counted: ["passwords"],
  },
};
const NAMES = Object.keys(KINDS);
const kindOf = (name: string): Kind => {
  const kind = KINDS[name];
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
};

/** An owner, and a member with a session in the owner's organization. */
async function worldFor({ needs, from = OFFICE, age = 0 }: Kind): Promise<World> {
  const [owner, newcomer] = [await registerAccount(flows), await registerAccount(flows)];
  const member = needs === "trusted_browser" ? await enrol(flows, newcomer) : newcomer;
  await flows.sql`
    insert into members (organization_id, user_id, role, joined_at)
    values (${owner.organizationId}, ${member.userId}, 'member', ${new Date(flows.deps.clock.now())})`;
  const trustToken = needs === "trusted_browser" ? await trust(member) : undefined;
  const entered = unwrap(await enter(member.email, owner.organizationId, { from, trustToken }));
  if (entered.status !== "success") throw new Error(`the sign-in returned ${entered.status}`);
  flows.clock.advance(age);
  const { signedIn } = entered;
  if (needs === "application") await useApplication({ ...member, signedIn });
  return { owner, member, signedIn, sessionId: signedIn.session.id, trustToken };
}

async function trust(account: Account): Promise<string> {
  const change = await credentialChange(flows, await callerOf(flows, account.signedIn));
  const created = await createTrustedBrowser(flows.deps, { ...change, name: null, trustToken: undefined });
  return unwrap(created).token;
}

/** The owner in a new session, as a manager of policies. */
async function managerOf({ owner }: World): Promise<MemberCaller> {
  const entered = unwrap(await enter(owner.email, owner.organizationId));
  if (entered.status !== "success") throw new Error(`the sign-in returned ${entered.status}`);
  const { signedIn } = entered;
  const first = await callerOf(flows, signedIn);
  // The owner presents the factor that the policy requires, as the page of the set-up does.
  if (first.enrolmentOnly) await enrol(flows, { ...owner, signedIn });
  const session = { ...(await callerOf(flows, signedIn)), address: () => OFFICE };
  unwrap(admitSession(session, undefined));
  return unwrap(await authorizePermission(flows.deps, session, owner.organizationId, "policies.manage"));
}

/** Gives the owner the passkey without which the change is a lock-out. */
async function prepare({ owner }: World, { lockOut }: Kind): Promise<void> {
  if (lockOut === undefined) return;
  const at = new Date(flows.deps.clock.now());
  const key = Buffer.from(owner.userId);
  await flows.sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, name, transports, device_type, backed_up,
                          aaguid, created_at)
    values (${crypto.randomUUID()}, ${owner.userId}, ${key}, ${key}, 0, 'key', '{}', 'multiDevice', true,
            ${crypto.randomUUID()}, ${at})`;
}

async function replaceBy(caller: MemberCaller, settings: Partial<PolicySettings>, policiesAt: Date | null) {
  const submitted = { settings: { ...DEFAULT_POLICY, ...settings }, policiesAt };
  const change = { caller, confirm: false, revision: undefined, client: clientAt(OFFICE) };
  return await replacePolicies(flows.deps, { ...submitted, ...change });
}

const SCOPE = "openid offline_access";
const refreshTokenIn = (issued: Awaited<ReturnType<typeof exchangeIn>>) =>
  typeof issued === "string" ? issued : issued.refreshToken;

describe.each(NAMES)("%s", (name) => {
  const kind = kindOf(name);

  test("a preview names the member and changes nothing; the policy counts from its start, and not before", async () => {
    const world = await worldFor(kind);
    const caller = await managerOf(world);
    expect(await kind.attempt(world)).toBeOneOf(["ok", "success"]);
    const submitted = { settings: { ...DEFAULT_POLICY, ...kind.settings }, policiesAt: null };
    const preview = unwrap(await previewPolicies(flows.deps, { caller, ...submitted }));
    const named = preview.members.find(({ userId }) => userId === world.member.userId)?.rules ?? [];
    expect(named).toEqual(kind.counted);
    const counted = AFFECTING_RULES.filter((rule) => preview.counts[rule] > 0);
    expect(counted).toEqual(expect.arrayContaining([...kind.counted]));
    expect(preview.sessionsEnded > 0).toBe(kind.endsSession ?? false);
    expect(unwrap(await readPolicies(flows.deps, caller)).revision).toBe(0);
    await prepare(world, kind);
    unwrap(await replaceBy(caller, kind.settings, new Date(flows.deps.clock.now() + WAIT_MS)));
    flows.clock.advance(WAIT_MS - 1);
    expect(await kind.attempt(world)).toBeOneOf(["ok", "success"]);
    flows.clock.advance(1);
    expect(await kind.attempt(world)).toBe(kind.refused);
  });

  test(`the session of the member ${kind.endsSession ? "ends, which a record counts" : "stays"}`, async () => {
    const world = await worldFor(kind);
    const { organizationId } = world.owner;
    const caller = await managerOf(world);
    await prepare(world, kind);
    unwrap(await replaceBy(caller, kind.settings, null));
    await endSessionsWithoutAccess(flows.deps, organizationId, () => false);
    const [session] = await flows.sql`select revoked_reason from sessions where id = ${world.sessionId}`;
    expect(session?.revoked_reason).toBe(kind.endsSession ? "policy" : null);
    const records = await flows.sql`
      select 1 from audit_logs where organization_id = ${organizationId} and action = 'policy.enforced'`;
    expect(records.length > 0).toBe(kind.endsSession ?? kind.endsApplication ?? false);
  });

  test("the last owner is not locked out: the change is refused, or the owner takes the policy back", async () => {
    const world = await worldFor(kind);
    const replaced = await replaceBy(await managerOf(world), kind.settings, null);
    expect(replaced.ok ? undefined : replaced.error.reason).toBe(kind.lockOut);
    if (replaced.ok) unwrap(await replaceBy(await managerOf(world), {}, null));
  });
});

/** The access of an application on behalf of the account, in the organization of the account's session. */
async function useApplication(account: Account) {
  await consent(account);
  return await exchangeIn(flows, application, await flowCode(flows, application, account, SCOPE));
}

/** The consent of a user that the page of the application stores. */
async function consent({ userId }: Account): Promise<void> {
  const at = new Date(flows.deps.clock.now());
  const grant = { id: crypto.randomUUID(), user_id: userId, client_id: application.client.id };
  const scopes = SCOPE.split(" ");
  const access = { scopes, consented_scopes: scopes, resources: [], created_at: at, updated_at: at };
  await flows.sql`insert into oauth_grants ${flows.sql({ ...grant, ...access })} on conflict do nothing`;
}

describe("tokens of applications", () => {
  test.each(["mfa", "methods", "third-party applications", "third-party applications, none"])(
    "end with the policy: %s",
    async (name) => {
      const kind = kindOf(name);
      const world = await worldFor(kind);
      const account = { ...world.member, signedIn: world.signedIn };
      const issue = () => useApplication(account);
      const [presented, unused] = [await issue(), await issue()];
      const code = await flowCode(flows, application, account, SCOPE);
      const caller = await managerOf(world);
      await prepare(world, kind);
      unwrap(await replaceBy(caller, kind.settings, null));
      expect(await exchangeIn(flows, application, code)).toBe("invalid_grant");
      expect(await refreshIn(flows, application, refreshTokenIn(presented))).toBe("invalid_grant");
      await endSessionsWithoutAccess(flows.deps, world.owner.organizationId, () => false);
      const live = await flows.sql`
        select 1 from oauth_token_families where user_id = ${world.member.userId} and revoked_at is null`;
      expect(live).toHaveLength(0);
      expect(await refreshIn(flows, application, refreshTokenIn(unused))).toBe("invalid_grant");
    },
  );

  test.each([
    ["age of a sign-in", { sessionMaxHours: 24 }, 240],
    ["days of grace", { mfa: "required", mfaGraceDays: 1 }, undefined],
  ] as const)("end with the access by the policy, also for a verifier of signatures: %s", async (_, settings, own) => {
    const world = await worldFor({ ...kindOf("session lifetime"), age: 0 });
    unwrap(await replaceBy(await managerOf(world), settings, null));
    flows.clock.advance(24 * HOUR_MS - WAIT_MS);
    const issued = await useApplication({ ...world.member, signedIn: world.signedIn });
    expect(issued).toMatchObject({ expiresInSeconds: WAIT_MS / 1000 });
    flows.clock.advance(MINUTE_MS);
    const again = await refreshIn(flows, application, refreshTokenIn(issued));
    expect(again).toMatchObject({ expiresInSeconds: (WAIT_MS - MINUTE_MS) / 1000 });
    const { refreshToken } = world.signedIn.tokens;
    const session = await refresh(flows.deps, { refreshToken, admissionOf: () => undefined, client: clientAt(OFFICE) });
    expect(unwrap(session).tokens.expiresInSeconds).toBe(own ?? flows.deps.config.tokens.accessExpirySeconds);
  });
});
