import { ok } from "../../base/result.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import type { VerifyAssertionDeps } from "../../flows/oauth/programs/verify-assertion.ts";
import { publicMembers } from "../../flows/service-accounts/trust-rules.ts";
import {
  changeTrust,
  createTrust,
  readTrusts,
  removeTrust,
  type TrustInput,
  tryAssertion,
} from "../../flows/service-accounts/trusts.ts";
import { ASSERTION_SHOWN_MAX_CHARACTERS } from "../../limits/federation-limits.ts";
import type { Trust } from "../../models/service-account/trust.ts";
import type { TrustCondition } from "../../vocabulary/federation.ts";
import type { KeyScope } from "../../vocabulary/key-scope.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import {
  authorizeFor,
  authorizeReaderFor,
  type ServiceAccountScopeRoute,
  serviceAccountScopes,
} from "../organizations/service-account-scopes.ts";
import { emptyReply, reply } from "../reply.ts";
import { ChangeTrustBody, CreateTrustBody, TestTrustBody, TrustItem, Trusts, TrustTest } from "../schemas/trusts.ts";

export type TrustDeps = SessionDeps & VerifyAssertionDeps & Pick<Deps, "reads">;

const tag = "Service accounts";

/** docs/contract.md, section 35.11. */
export function trustRoutes(deps: TrustDeps): Endpoint[] {
  return serviceAccountScopes("service-accounts").flatMap((home) => [
    ...listRoutes(deps, home),
    ...changeRoutes(deps, home),
  ]);
}

function pathsOf({ base }: ServiceAccountScopeRoute) {
  return {
    trusts: `${base}/:id/trusts` as "/:org_id/:id",
    trust: `${base}/:id/trusts/:trust_id` as "/:org_id/:id/:trust_id",
    test: `${base}/:id/trusts/:trust_id/test` as "/:org_id/:id/:trust_id",
  };
}

function listRoutes(deps: TrustDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const { trusts } = pathsOf(home);
  return [
    endpoint({
      method: "POST",
      path: trusts,
      operationId: `create${home.word}Trust`,
      docs: { clientMethod: `${home.methods}serviceAccounts.createTrust`, section: "35.11" },
      tag,
      summary: `Create a trust of a service account of ${home.of}`,
      description: "The account then accepts tokens of the external issuer in place of an API key.",
      auth: "administrative",
      permission: home.write,
      stepUp: "adds_credential",
      input: { body: CreateTrustBody },
      responses: { 201: { description: "Created", schema: TrustItem } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, body, client }) {
        const { name, issuer, conditions, scopes } = body;
        const required = { name, issuer, conditions: conditions as TrustCondition[], scopes: scopes as KeyScope[] };
        const settings = { ...settingsOf(body), ...required };
        const trust = await createTrust(deps, { caller, accountId: params.id, settings, client });
        return trust.ok ? ok(reply(201, trustBody(trust.value))) : trust;
      },
    }),
    endpoint({
      method: "GET",
      path: trusts,
      operationId: `list${home.word}Trusts`,
      docs: { clientMethod: `${home.methods}serviceAccounts.listTrusts`, section: "35.11" },
      tag,
      summary: `List the trusts of a service account of ${home.of}`,
      auth: "administrative",
      permission: home.read,
      responses: { 200: { description: "Oldest first", schema: Trusts } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, params }) {
        const trusts = await readTrusts(deps, { caller, accountId: params.id });
        return trusts.ok ? ok(reply(200, { items: trusts.value.map(trustBody) })) : trusts;
      },
    }),
  ];
}

function changeRoutes(deps: TrustDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const { trust: path, test } = pathsOf(home);
  return [
    endpoint({
      method: "PATCH",
      path,
      operationId: `update${home.word}Trust`,
      docs: { clientMethod: `${home.methods}serviceAccounts.updateTrust`, section: "35.11" },
      tag,
      summary: `Change a trust of a service account of ${home.of}`,
      description: "Access tokens from before the change of a rule are refused.",
      auth: "administrative",
      permission: home.write,
      stepUp: "adds_credential",
      input: { body: ChangeTrustBody },
      responses: { 200: { description: "Changed", schema: TrustItem } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, body, client }) {
        const input = { caller, accountId: params.id, trustId: params.trust_id, settings: settingsOf(body), client };
        const trust = await changeTrust(deps, input);
        return trust.ok ? ok(reply(200, trustBody(trust.value))) : trust;
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: `delete${home.word}Trust`,
      docs: { clientMethod: `${home.methods}serviceAccounts.deleteTrust`, section: "35.11" },
      tag,
      summary: `Delete a trust of a service account of ${home.of}`,
      auth: "administrative",
      permission: home.write,
      responses: { 204: { description: "Deleted; its access tokens are refused" } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeTrust(deps, { caller, accountId: params.id, trustId: params.trust_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      method: "POST",
      path: test,
      operationId: `test${home.word}Trust`,
      docs: { clientMethod: `${home.methods}serviceAccounts.testTrust`, section: "35.11" },
      tag,
      summary: `Test an assertion against a trust of a service account of ${home.of}`,
      description: "Issues no token, and consumes nothing: the assertion can be exchanged afterwards.",
      auth: "administrative",
      permission: home.write,
      input: { body: TestTrustBody },
      responses: { 200: { description: "Every check", schema: TrustTest } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, params, body }) {
        const input = { caller, accountId: params.id, trustId: params.trust_id };
        const tested = await tryAssertion(deps, input, body.assertion);
        if (!tested.ok) return tested;
        const { accepted, reason, checks } = tested.value;
        return ok(reply(200, { accepted, reason, checks: checks.map(checkBody) }));
      },
    }),
  ];
}

type TrustBody = (typeof ChangeTrustBody)["static"];

/** The members of a body; a key keeps the members that a verification reads. */
function settingsOf(body: TrustBody): TrustInput {
  const { keys, jwks_uri, allowed_ips, token_seconds, max_age_seconds, single_use, conditions, scopes, ...rest } = body;
  return {
    ...rest,
    ...(keys === undefined ? {} : { keys: keys?.map((key) => publicMembers(key)) ?? null }),
    ...(jwks_uri === undefined ? {} : { jwksUri: jwks_uri }),
    ...(allowed_ips === undefined ? {} : { allowedIps: allowed_ips }),
    ...(token_seconds === undefined ? {} : { tokenSeconds: token_seconds }),
    ...(max_age_seconds === undefined ? {} : { maxAgeSeconds: max_age_seconds }),
    ...(single_use === undefined ? {} : { singleUse: single_use }),
    ...(conditions === undefined ? {} : { conditions: conditions as TrustCondition[] }),
    ...(scopes === undefined ? {} : { scopes: scopes as KeyScope[] }),
  };
}

function trustBody(trust: Trust) {
  return {
    id: trust.id,
    service_account_id: trust.serviceAccountId,
    name: trust.name,
    issuer: trust.issuer,
    keys: trust.keys,
    jwks_uri: trust.jwksUri,
    audiences: trust.audiences,
    conditions: trust.conditions,
    scopes: trust.scopes,
    organizations: trust.organizations,
    allowed_ips: trust.allowedIps,
    token_seconds: trust.tokenSeconds,
    max_age_seconds: trust.maxAgeSeconds,
    single_use: trust.singleUse,
    disabled: trust.disabled,
    created_by: trust.createdBy,
    created_at: trust.createdAt.toISOString(),
    updated_at: trust.updatedAt.toISOString(),
    last_used_at: trust.lastUsedAt?.toISOString() ?? null,
  };
}

type Check = Extract<Awaited<ReturnType<typeof tryAssertion>>, { ok: true }>["value"]["checks"][number];

function checkBody({ check, ok: isMet, expected, received }: Check) {
  const text = received === undefined ? null : JSON.stringify(received).slice(0, ASSERTION_SHOWN_MAX_CHARACTERS);
  return { check, ok: isMet, expected, received: text?.toWellFormed() ?? null };
}
