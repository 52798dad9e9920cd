/**
 * Every endpoint and page of an organization, and every way to a session or token, against every policy of single
 * sign-on, for covered members, guests, users with emergency access and API keys (G197). The expected results come from
 * a model of the specification (`sso-access-model.ts`). `MATRIX=full` sends every combination.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, Client, PASSWORD, registered } from "../support/client.ts";
import { CODE, codeIn } from "../support/mail.ts";
import { codeOf, enrolled, forgetUsedStep, passwordShown } from "../support/mfa.ts";
import {
  authorizePath,
  Browser,
  type Code,
  codeFor,
  exchange,
  hiddenIn,
  introspectAt,
  makePkce,
  refreshAt,
  registerClient,
  type TestClient,
  type Tokens,
  tokensFor,
} from "../support/oauth.ts";
import { PAGES } from "../support/page-list.ts";
import { FormClient } from "../support/pages.ts";
import { addPasskey } from "../support/passkeys.ts";
import { steppedUpAdmin } from "../support/platform.ts";
import { SsoBrowser, ssoDeployment } from "../support/sso.ts";
import {
  isInForce,
  POLICIES,
  POLICY_NAMES,
  type PolicyName,
  type Verdict,
  verdictOf,
} from "../support/sso-access-model.ts";
import {
  addAddress,
  addressIn,
  type Caller,
  COVERED,
  callEndpoint,
  ENDPOINTS,
  FRESH,
  GUEST,
  type Host,
  type Matrix,
  nameOf,
  openMatrix,
  STRONG,
  signInAt,
} from "../support/sso-matrix.ts";
import { deleteMemberships, insertMember, proveMailbox } from "../support/states.ts";

const IS_FULL = process.env.MATRIX === "full";
const DEADLINE_MS = IS_FULL ? 600_000 : 60_000;

let matrix: Matrix;
let app: TestClient;
/** Credentials of applications from sessions before the policies. */
const before = new Map<string, { readonly code: Code; readonly tokens: Tokens }>();
/** Second-factor tokens, from passwords before the policies, of covered members of one organization. */
const challenges = new Map<PolicyName, { readonly token: string; readonly secret: string; readonly userId: string }>();

const browserOf = (client: Client): Browser => {
  const browser = new Browser(client.baseUrl);
  Object.assign(browser.client, { jar: client.jar });
  return browser;
};

beforeAll(async () => {
  const sso = await ssoDeployment();
  sso.forged.provider.reset();
  matrix = await openMatrix(sso);
  app = await registerClient({}, (await steppedUpAdmin(matrix.at, "owner")).client);
  for (const [name, caller] of sessionsHere()) {
    for (const policy of POLICY_NAMES) {
      const browser = browserOf(caller.clients[policy]);
      const tokens = await tokensFor(app, browser, { scope: "openid offline_access" });
      before.set(`${name} ${policy}`, { tokens, code: await codeFor(app, browser) });
    }
  }
  for (const policy of POLICY_NAMES) {
    const person = await enrolled(matrix.at);
    await addAddress(matrix.at, person.userId, addressIn(matrix.hosts[policy], person.userId));
    await alone(person.userId, matrix.hosts[policy]);
    challenges.set(policy, { ...person, token: await passwordShown(matrix.at.one.url, person.email) });
  }
  // The tests below take longer than the life of a code.
  await matrix.at.sql`update oauth_codes set expires_at = now() + interval '1 hour' where client_id = ${app.id}`;
  await matrix.enforceAll();
}, DEADLINE_MS);

const pick = <T>(list: readonly T[], index: number): readonly T[] =>
  list.length === 0 ? [] : [list[index % list.length] as T];
const callers = () => Object.entries(matrix.callers) as [keyof Matrix["callers"], Caller][];
const sessionsHere = () => callers().filter(([, { isHere }]) => isHere);
const expected = (policy: PolicyName, { person, proof }: Pick<Caller, "person" | "proof">) =>
  verdictOf(POLICIES[policy], person, proof);

/** What a response of an endpoint says about access; other problems concern the input. */
function verdictIn({ status, body }: Answer): Verdict | "ended" {
  const code = body?.error?.code;
  if (code === "sso_required") return status === 403 ? "sso_required" : "unknown";
  if (code === "authentication_required") return "ended";
  return body?.error?.message === "There is no such organization." ? "unknown" : "admitted";
}

/** A session in the organization ends, and a session elsewhere is refused. */
const atEndpoint = (policy: PolicyName, caller: Caller): Verdict | "ended" => {
  const verdict = expected(policy, caller);
  return verdict === "sso_required" && caller.isHere ? "ended" : verdict;
};

describe("every endpoint that names an organization", () => {
  /** A member has no way to join again. */
  const JOIN = "joinOrganization";

  test("decides by the policy and the caller, as the model.", { timeout: DEADLINE_MS }, async () => {
    const wrong: unknown[] = [];
    let index = 0;
    for (const endpoint of ENDPOINTS.filter(({ operationId }) => operationId !== JOIN)) {
      for (const policy of POLICY_NAMES) {
        index += 1;
        const refused = callers().filter(([, caller]) => atEndpoint(policy, caller) === "sso_required");
        const others = callers().filter(([, caller]) => atEndpoint(policy, caller) !== "sso_required");
        const isSampled = !isInForce(POLICIES[policy]) && index % POLICY_NAMES.length !== 0;
        const sample = isSampled ? [] : [...pick(refused, index), ...(refused.length > 0 ? [] : pick(others, index))];
        for (const [name, caller] of IS_FULL ? [...refused, ...others] : sample) {
          const answer = await callEndpoint(caller.clients[policy], endpoint, matrix.hosts[policy]);
          const found = verdictIn(answer);
          const wanted = atEndpoint(policy, caller);
          if (found !== wanted) wrong.push([endpoint.operationId, policy, name, wanted, answer.status, answer.text]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test("admits API keys of the organization under every policy.", async () => {
    const scoped = ENDPOINTS.filter(({ permission }) =>
      ["members.list", "members.metadata", "sso.read"].includes(permission ?? ""),
    );
    expect(scoped.length).toBeGreaterThan(5);
    for (const policy of POLICY_NAMES) {
      const host = matrix.hosts[policy];
      for (const endpoint of IS_FULL ? scoped : scoped.slice(0, 3)) {
        const answer = await callEndpoint(new Client(matrix.at.one.url), endpoint, host, host.key);
        expect([endpoint.operationId, policy, [401, 403].includes(answer.status)]).toEqual([
          endpoint.operationId,
          policy,
          false,
        ]);
      }
    }
  });
});

describe("every page", () => {
  /** Pages without a session, which display the organization to everyone. */
  const PUBLIC: readonly string[] = ["/sso/:slug"];

  test("displays an organization to sessions that the model admits, and to no other.", {
    timeout: DEADLINE_MS,
  }, async () => {
    const wrong: unknown[] = [];
    const displayed = new Set<string>();
    let index = 0;
    for (const page of PAGES.filter((each) => !PUBLIC.includes(each))) {
      for (const [name, caller] of sessionsHere()) {
        for (const policy of POLICY_NAMES) {
          index += 1;
          const verdict = expected(policy, caller);
          if (!IS_FULL && index % (verdict === "admitted" ? 13 : 3) !== 0) continue;
          const { connectionId, organizationId } = matrix.hosts[policy];
          const pages = new FormClient(matrix.at.one.url);
          Object.assign(pages.client, { jar: caller.clients[policy].jar.cloneSync() });
          const path = page.replace(":slug", organizationId).replace(/:\w+/g, connectionId);
          const { status, text, headers } = await pages.get(path);
          const shows = text.includes(nameOf(policy));
          if (shows && verdict === "admitted") displayed.add(page);
          const isServerError = status >= 500;
          const leads = headers.get("location") ?? "";
          if ((shows && verdict !== "admitted") || isServerError) wrong.push([page, name, policy, status, leads]);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(displayed.size).toBeGreaterThan(10);
  });

  test("of the switch and of a company's sign-in leads a refused session to single sign-on.", async () => {
    for (const policy of POLICY_NAMES) {
      const { organizationId, connectionId } = matrix.hosts[policy];
      const { person, proof, clients } = matrix.callers["covered member, session elsewhere"];
      const wanted = verdictOf(POLICIES[policy], person, proof);
      const pages = new FormClient(matrix.at.one.url);
      Object.assign(pages.client, { jar: clients[policy].jar });
      const csrf = await pages.csrf("/account");
      const moved = await pages.post("/account", { csrf, step: "switch", organization_id: organizationId });
      const start = `0; url=/v1/auth/sso/${connectionId}/start?redirect_to=%2Faccount`;
      expect([policy, moved.status, moved.headers.get("refresh")]).toEqual(
        wanted === "admitted" ? [policy, 303, null] : [policy, 200, start],
      );
      const back = { csrf: await pages.csrf("/account"), step: "switch" };
      await pages.post("/account", { ...back, organization_id: matrix.people.covered.organizationId });
    }
  });
});

/** Moves a person into one organization only. */
async function alone(userId: string, { organizationId }: Host): Promise<void> {
  await deleteMemberships(matrix.at.sql, userId);
  await insertMember(matrix.at.sql, organizationId, userId);
}

const startOf = ({ connectionId }: Host) => `/v1/auth/sso/${connectionId}/start`;
const outcomeOf = ({ status, body }: Answer) =>
  status < 300 ? ["admitted"] : [body?.error?.code, ...(body?.error?.continue_at ? [body.error.continue_at] : [])];
const wantedOf = (verdict: Verdict, host: Host) => (verdict === "admitted" ? ["admitted"] : [verdict, startOf(host)]);

/** A user of one organization at a time, with a passkey and an address for each policy. */
async function wanderer(isInDomain: boolean) {
  const { at, hosts } = matrix;
  const person = await registered(at.one.url);
  const { authenticator } = await addPasskey(person.client);
  await proveMailbox(at.sql, person.userId);
  const addresses = new Map<PolicyName, string>();
  for (const policy of POLICY_NAMES) {
    const address = isInDomain ? addressIn(hosts[policy], person.userId) : `${policy}-${person.email}`;
    addresses.set(policy, address);
    await addAddress(at, person.userId, address);
  }
  return { ...person, authenticator, addressAt: (policy: PolicyName) => addresses.get(policy) ?? "" };
}
type Wanderer = Awaited<ReturnType<typeof wanderer>>;

type SignIn = (person: Wanderer, policy: PolicyName) => Promise<Answer>;
const METHODS: Readonly<Record<string, SignIn>> = {
  password: async ({ email }) => (await signInAt(matrix.at, email)).answer,
  "password, organization named": async ({ email }, policy) =>
    (await signInAt(matrix.at, email, matrix.hosts[policy].organizationId)).answer,
  "emailed code": async ({ addressAt }, policy) => {
    const client = new Client(matrix.at.one.url);
    const email = addressAt(policy);
    await client.post("/v1/auth/email-otp/request", { email });
    const code = codeIn((await matrix.at.mail.mailsTo(email, CODE)).at(-1));
    return await client.post("/v1/auth/email-otp/verify", { email, code });
  },
  passkey: async ({ authenticator }) => {
    const client = new Client(matrix.at.one.url);
    const { publicKey } = (await client.post("/v1/auth/passkey/login/begin")).body;
    const credential = await authenticator.get(publicKey);
    return await client.post("/v1/auth/passkey/login/complete", { credential });
  },
};

describe("every sign-in", () => {
  test(
    "admits covered members and guests as the model, and names the way to single sign-on.",
    async () => {
      for (const [person, model] of [
        [await wanderer(true), COVERED],
        [await wanderer(false), GUEST],
      ] as const) {
        for (const policy of POLICY_NAMES) {
          const host = matrix.hosts[policy];
          await alone(person.userId, host);
          for (const [method, signIn] of Object.entries(METHODS)) {
            const proof = method === "passkey" ? STRONG : FRESH;
            const found = outcomeOf(await signIn(person, policy));
            const wanted = wantedOf(verdictOf(POLICIES[policy], model, proof), host);
            expect([model, policy, method, ...found]).toEqual([model, policy, method, ...wanted]);
          }
        }
      }
    },
    DEADLINE_MS,
  );

  test("by single sign-on is possible in every mode except off.", async () => {
    const { at, hosts, sso, people } = matrix;
    for (const policy of POLICY_NAMES) {
      const host = hosts[policy];
      sso.forged.provider.claims = {
        sub: `matrix-${policy}`,
        email: `new-${policy}@${host.domain}`,
        email_verified: true,
      };
      const { status } = await new Client(at.one.url).get(`/v1/auth/sso/${host.connectionId}/start`);
      expect([policy, status]).toEqual([policy, policy === "off" ? 404 : 302]);
      if (policy === "off") continue;
      const { body } = await new SsoBrowser(at.one.url).enter(host.connectionId);
      expect([policy, body.user?.organization_id]).toEqual([policy, host.organizationId]);
    }
    expect(people.guest.userId).not.toBe(people.covered.userId);
  });

  test("with emergency access needs the second factor, under every policy.", async () => {
    const { at, hosts, people } = matrix;
    for (const policy of POLICY_NAMES) {
      const { organizationId } = hosts[policy];
      const { answer } = await signInAt(at, people.emergency.email, organizationId);
      expect([policy, answer.status, answer.body.status]).toEqual([policy, 200, "mfa_required"]);
      await forgetUsedStep(at.sql, people.emergency.userId);
      const challenge = { mfa_token: answer.body.mfa_token, code: codeOf(people.emergency.secret) };
      const signedIn = await new Client(at.one.url).post("/v1/auth/mfa/challenge", challenge);
      expect([policy, signedIn.status, signedIn.body.user?.organization_id]).toEqual([policy, 200, organizationId]);
    }
  });
});

describe("every other way to a session", () => {
  const switchTo = (client: Client, organization_id: string) =>
    client.post("/v1/auth/organization", { organization_id });

  test("a switch into the organization decides by the session, as the model.", async () => {
    for (const policy of POLICY_NAMES) {
      const host = matrix.hosts[policy];
      for (const [name, caller] of callers().filter(([, { isHere }]) => !isHere)) {
        const client = caller.clients[policy];
        const home = (await client.get("/v1/auth/session")).body.user.organization_id;
        const found = outcomeOf(await switchTo(client, host.organizationId));
        // A bound session stays in its organization: 403 for every other id (docs/contract.md, section 3.13).
        const verdict = expected(policy, caller);
        const wanted = verdict === "unknown" ? ["forbidden"] : wantedOf(verdict, host);
        expect([policy, name, ...found]).toEqual([policy, name, ...wanted]);
        if (found[0] === "admitted") expect((await switchTo(client, home)).status).toBe(200);
      }
    }
  });

  test("a refresh continues admitted sessions alone.", async () => {
    for (const policy of POLICY_NAMES) {
      for (const [name, caller] of sessionsHere()) {
        const { status } = await caller.clients[policy].post("/v1/auth/refresh");
        const wanted = expected(policy, caller) === "admitted" ? 200 : 401;
        expect([policy, name, status]).toEqual([policy, name, wanted]);
      }
    }
  });

  test("a second factor after the start of the requirement completes no password of before.", async () => {
    for (const [policy, { token, secret, userId }] of challenges) {
      await forgetUsedStep(matrix.at.sql, userId);
      const challenge = { mfa_token: token, code: codeOf(secret) };
      const answer = await new Client(matrix.at.one.url).post("/v1/auth/mfa/challenge", challenge);
      const wanted = verdictOf(POLICIES[policy], COVERED, STRONG);
      expect([policy, answer.status === 200]).toEqual([policy, wanted === "admitted"]);
    }
  });

  test(
    "an invitation is accepted by people whom the organization would admit.",
    async () => {
      const { at, hosts } = matrix;
      for (const policy of POLICY_NAMES) {
        const host = hosts[policy];
        const offer = async (email: string) => {
          const token = crypto.randomUUID().replaceAll("-", "").padEnd(43, "t");
          await at.sql`
          insert into invitations (id, organization_id, email, role, token_hash, invited_by, expires_at, created_at)
          values (gen_random_uuid(), ${host.organizationId}, ${email}, 'member', sha256(${token}::bytea),
                  ${host.ownerId}, now() + interval '1 day', now())`;
          return token;
        };
        for (const model of [COVERED, GUEST]) {
          const where = model.isInDomain ? host.domain : "elsewhere.example.test";
          const fresh = await offer(`invited-${policy}@${where}`);
          const created = await new Client(at.one.url).post("/v1/auth/invitations/accept", {
            token: fresh,
            password: PASSWORD,
          });
          const wanted = wantedOf(verdictOf(POLICIES[policy], model, FRESH), host);
          expect([policy, model, "new", ...outcomeOf(created)]).toEqual([policy, model, "new", ...wanted]);
          const known = await registered(at.one.url);
          const address = model.isInDomain ? addressIn(host, known.userId) : `known-${known.email}`;
          await addAddress(at, known.userId, address);
          const token = await offer(address);
          const joined = await known.client.post("/v1/auth/invitations/accept", { token });
          expect([policy, model, "known", ...outcomeOf(joined)]).toEqual([policy, model, "known", ...wanted]);
        }
      }
    },
    DEADLINE_MS,
  );
});

describe("every grant of an application", () => {
  test(
    "codes, tokens and offline access of before end with the session.",
    async () => {
      const { one } = matrix.at;
      for (const policy of POLICY_NAMES) {
        for (const [name, caller] of sessionsHere()) {
          const { code, tokens } = before.get(`${name} ${policy}`) ?? {};
          if (!code || !tokens) throw new Error("no credentials of before");
          const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } };
          const found = [
            (await exchange(one.url, app, code)).status,
            (await new Client(one.url).get("/oauth2/userinfo", bearer)).status,
            (await introspectAt(one.url, app, tokens.access_token)).body.active,
            (await refreshAt(one.url, app, tokens.refresh_token)).status,
          ];
          const wanted = expected(policy, caller) === "admitted" ? [200, 200, true, 200] : [400, 401, false, 400];
          expect([policy, name, ...found]).toEqual([policy, name, ...wanted]);
        }
      }
    },
    DEADLINE_MS,
  );

  test("a request for the organization leads a session of elsewhere to single sign-on.", async () => {
    for (const policy of POLICY_NAMES) {
      const { organizationId, connectionId } = matrix.hosts[policy];
      const browser = browserOf(matrix.callers["covered member, session elsewhere"].clients[policy]);
      const path = authorizePath(app, makePkce().challenge, { organization: organizationId });
      const { location, path: last } = await browser.follow(path);
      const target = `${last} ${location ?? ""}`;
      expect([policy, target.includes("code=")]).toEqual([policy, false]);
      if (!isInForce(POLICIES[policy])) continue;
      const { csrf } = hiddenIn((await browser.get(last)).text);
      const switched = await browser.post(last, { csrf: csrf ?? "", switch_to: organizationId });
      expect([policy, switched.headers.get("refresh")]).toEqual([
        policy,
        expect.stringContaining(`/v1/auth/sso/${connectionId}/start?redirect_to=%2Foauth2%2Fconsent`),
      ]);
    }
  });
});
