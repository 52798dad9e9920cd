/** Clients that registered themselves: consent after a change, and for redirect URIs on the device (G321, G323). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OAuthRefusal } from "../../../../src/base/oauth-problem.ts";
import { ok, type Result } from "../../../../src/base/result.ts";
import { decideAuthorization } from "../../../../src/flows/oauth/authorize/decide-authorization.ts";
import { respondWithCode } from "../../../../src/flows/oauth/authorize/respond-with-code.ts";
import { validateAuthorization } from "../../../../src/flows/oauth/authorize/validate-authorization.ts";
import { changeRegistration } from "../../../../src/flows/oauth/registration/manage-registration.ts";
import { type Registration, registerDynamicClient } from "../../../../src/flows/oauth/registration/register.ts";
import {
  decideAboutApplication,
  listDecisions,
} from "../../../../src/flows/organization-applications/decide-application.ts";
import type { SessionView } from "../../../../src/models/session/session.ts";
import { DEFAULT_POLICY } from "../../../../src/vocabulary/policy-settings.ts";
import { type Account, clientAt, registerAccount } from "../../../support/accounts.ts";
import { type Flows, openFlows } from "../../../support/flows.ts";
import { makePkce } from "../../../support/oauth.ts";

const WEB = "https://notes.example.com/callback";
const METADATA = { client_name: "Notes", redirect_uris: [WEB], token_endpoint_auth_method: "none" };

let flows: Flows;
let account: Account;
beforeAll(async () => {
  flows = await openFlows({ SERVICE_OAUTH_REGISTRATION: "open" });
  account = await registerAccount(flows);
});
afterAll(async () => {
  await flows.close();
});

function expectOk<T>(result: Result<T, OAuthRefusal>): T {
  if (!result.ok) throw new Error(result.error.description);
  return result.value;
}

async function register(metadata: object = {}): Promise<Registration> {
  const input = { metadata: { ...METADATA, ...metadata }, token: undefined, requestContext: clientAt() };
  return expectOk(await registerDynamicClient(flows.deps, input));
}

async function change({ client, registrationToken }: Registration, metadata: object): Promise<void> {
  flows.clock.advance(1);
  const access = { clientId: client.id, token: registrationToken };
  const changed = { ...METADATA, client_id: client.id, ...metadata };
  const clientDocuments = { ...flows.deps.clientDocuments, fetchPicture: async () => ok(Buffer.from("a picture")) };
  const deps = { ...flows.deps, clientDocuments };
  expectOk(await changeRegistration(deps, { access, metadata: changed, requestContext: clientAt() }));
  flows.clock.advance(1);
}

async function begin({ client: { id } }: Registration, parameters: Record<string, string> = {}) {
  const client = await flows.deps.oauthClients.load(id);
  if (!client) throw new Error("the client is unknown");
  const search = new URLSearchParams({
    response_type: "code",
    client_id: id,
    redirect_uri: client.redirectUris[0] ?? "",
    scope: "openid",
    code_challenge: makePkce().challenge,
    code_challenge_method: "S256",
    ...parameters,
  });
  const validated = await validateAuthorization(flows.deps, search);
  if (!validated.ok) throw new Error(validated.error.refusal.description);
  const request = { parameters: validated.value, createdAt: new Date(flows.clock.now()) };
  const session = (await flows.deps.revocations.session(account.signedIn.session.id)) as SessionView;
  return { client, request, session, requestContext: clientAt() };
}

async function stepOf(registration: Registration, parameters?: Record<string, string>): Promise<string> {
  const { client, request, session } = await begin(registration, parameters);
  const step = await decideAuthorization(flows.deps, client, request, session);
  return step.kind === "refuse" ? step.refusal.oauth : step.kind;
}

async function consent(registration: Registration): Promise<void> {
  expectOk(await respondWithCode(flows.deps, { ...(await begin(registration)), asked: true }));
}

describe("a redirect URI that any program on the device can receive is asked about each time (G321)", () => {
  test.each([
    ["a web client with a loopback address", { redirect_uris: ["http://127.0.0.1:7777/cb"] }],
    ["a web client with localhost", { redirect_uris: ["http://localhost:7777/cb"] }],
    ["a native client", { application_type: "native", redirect_uris: ["http://127.0.0.1:7777/cb"] }],
    ["a private scheme", { application_type: "native", redirect_uris: ["com.example.notes:/cb"] }],
  ])("%s: no consent from before gives a code, and prompt=none is consent_required", async (_, metadata) => {
    const registration = await register(metadata);
    await consent(registration);
    expect([await stepOf(registration), await stepOf(registration, { prompt: "none" })]).toEqual([
      "consent",
      "consent_required",
    ]);
  });

  test("a redirect URI of https needs consent once", async () => {
    const registration = await register();
    await consent(registration);
    expect([await stepOf(registration), await stepOf(registration, { prompt: "none" })]).toEqual(["code", "code"]);
  });
});

describe("a client with a new identity needs consent again (G323)", () => {
  const key = { kty: "EC", crv: "P-256", x: "x", y: "y" };
  test.each([
    ["name", { client_name: "Bank" }],
    ["logo", { logo_uri: "https://notes.example.com/logo.png" }],
    ["redirect URIs", { redirect_uris: [WEB, "https://other.example.com/cb"] }],
    ["method", { token_endpoint_auth_method: "client_secret_basic" }],
    ["keys", { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key] } }],
    ["address of the keys", { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://notes.example.com/k" }],
    ["type", { application_type: "native" }],
  ])("after a change of the %s the user is asked, and prompt=none is consent_required", async (_, metadata) => {
    const registration = await register();
    await consent(registration);
    await change(registration, metadata);
    expect([await stepOf(registration), await stepOf(registration, { prompt: "none" })]).toEqual([
      "consent",
      "consent_required",
    ]);
    await consent(registration);
    expect(await stepOf(registration)).toBe("code");
  });

  test("the approval of an organization is void after a change, and returns by a decision alone", async () => {
    const registration = await register();
    const { organizationId, userId } = account;
    const settings = JSON.stringify({ ...DEFAULT_POLICY, thirdPartyClients: "approved", approvedClients: [] });
    await flows.sql`
      insert into organization_policies values (
        ${organizationId}, ${settings}::text::jsonb, to_timestamp(0), null, 1, to_timestamp(0))`;
    const caller = { organizationId, responsibleId: userId, actor: account.signedIn.session, reader: {} } as never;
    const decide = () => {
      const input = { caller, clientId: registration.client.id, status: "approved" as const, client: clientAt() };
      return decideAboutApplication(flows.deps, input);
    };
    const list = async (isOpen: boolean) =>
      (await listDecisions(flows.deps, { caller, isOpen, page: { page: 1, pageSize: 10 } })).items;
    await decide();
    expect(await stepOf(registration)).toBe("consent");
    await change(registration, { client_name: "Bank" });
    expect(await stepOf(registration)).toBe("approval");
    expect((await list(true)).map(({ status, changed }) => [status, changed])).toEqual([["requested", true]]);
    flows.clock.advance(1);
    await decide();
    expect([await stepOf(registration), await list(true), (await list(false)).length]).toEqual(["consent", [], 1]);
    await flows.sql`delete from organization_policies`;
  });

  test("a change of other metadata, and a repeated PUT, keep the consent", async () => {
    const registration = await register();
    await consent(registration);
    await change(registration, {});
    await change(registration, { tos_uri: "https://notes.example.com/terms", scope: "openid profile" });
    expect(await stepOf(registration)).toBe("code");
  });
});
