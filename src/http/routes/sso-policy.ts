import { invalidInput } from "../../base/invalid-input.ts";
import { err, ok } from "../../base/result.ts";
import { parseTimestamp } from "../../database/timestamp.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { endSsoPause, pauseSsoPolicy } from "../../flows/sso/policy/pause.ts";
import { previewPolicy, readPolicy, replacePolicy } from "../../flows/sso/policy/replace.ts";
import { authorizeSteppedUpPlatformFor } from "../../flows/steps/authorization/authorize-administrator.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { DEFAULT_SSO_POLICY } from "../../models/sso-policy/sso-policy.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { readVersion } from "../read-version.ts";
import { reply } from "../reply.ts";
import { PausePolicyBody, PolicyBody, PolicyItem, PolicyOrCoverage, PolicyQuery } from "../schemas/sso-policy.ts";
import { coverageBody, policyBody } from "../sso/sso-bodies.ts";

export type SsoPolicyDeps = EmailDeps & Pick<Deps, "revocations" | "ssoDirectory">;

const tag = "Single sign-on";
const PATH = "/orgs/:org_id/sso/policy";
const NOT_A_TIME = invalidInput("required_at", "format", "not an RFC 3339 time");

/** docs/contract.md, section 29.9. */
export function ssoPolicyRoutes(deps: SsoPolicyDeps): Endpoint[] {
  return [...policyRoutes(deps), pauseRoute(deps), endPauseRoute(deps)];
}

function pauseRoute(deps: SsoPolicyDeps): Endpoint {
  return endpoint({
    method: "POST",
    path: "/admin/orgs/:id/sso/pause",
    operationId: "pauseSsoPolicy",
    docs: { clientMethod: "admin.organizations.pauseSso", section: "29.49" },
    stepUp: "grants_power",
    tag,
    summary: "Pause the requirement of single sign-on of any organization for 24 hours",
    auth: "administrative",
    permission: "organizations.write",
    input: { body: PausePolicyBody },
    responses: { 200: { description: "The policy", schema: PolicyItem } },
    problems: ["forbidden", "not_found", "conflict", "mfa_required"],
    authorize: (caller, params, permission) => authorizeSteppedUpPlatformFor(deps, caller, params.id, permission),
    async handle({ authorized: caller, params, body, client }) {
      const paused = await pauseSsoPolicy(deps, { caller, organizationId: params.id, reason: body.reason, client });
      return paused.ok ? ok(reply(200, policyBody(paused.value))) : paused;
    },
  });
}

function endPauseRoute(deps: SsoPolicyDeps): Endpoint {
  return endpoint({
    method: "DELETE",
    path: "/admin/orgs/:id/sso/pause",
    operationId: "endSsoPause",
    docs: { clientMethod: "admin.organizations.endSsoPause", section: "29.49" },
    tag,
    summary: "End the pause of the requirement of single sign-on of any organization",
    auth: "administrative",
    permission: "organizations.write",
    responses: { 200: { description: "The policy", schema: PolicyItem } },
    problems: ["forbidden", "not_found", "conflict", "mfa_required"],
    authorize: (caller, params, permission) => authorizeSteppedUpPlatformFor(deps, caller, params.id, permission),
    async handle({ authorized: caller, params, client }) {
      const ended = await endSsoPause(deps, { caller, organizationId: params.id, client });
      return ended.ok ? ok(reply(200, policyBody(ended.value))) : ended;
    },
  });
}

function policyRoutes(deps: SsoPolicyDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: PATH,
      operationId: "getSsoPolicy",
      docs: { clientMethod: "sso.policy.get", section: "29.9" },
      tag,
      summary: "Get the policy of an organization for single sign-on",
      auth: "administrative",
      permission: "sso.read",
      responses: { 200: { description: "The policy", schema: PolicyItem } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: (caller, params) => authorizeSsoReader(deps, caller, params.org_id),
      async handle({ authorized: caller }) {
        const policy = await readPolicy(deps, caller);
        return policy.ok ? ok(reply(200, policyBody(policy.value))) : policy;
      },
    }),
    endpoint({
      method: "PUT",
      path: PATH,
      operationId: "replaceSsoPolicy",
      docs: { clientMethod: "sso.policy.replace", section: "29.9" },
      stepUp: "grants_power",
      tag,
      summary: "Replace the policy of an organization for single sign-on",
      description:
        "An absent member has the default. `required` needs the prerequisites of the mode. With the query " +
        "`dry_run=true` nothing changes: the response is the coverage.",
      auth: "administrative",
      permission: "policies.manage",
      input: { query: PolicyQuery, body: PolicyBody },
      responses: { 200: { description: "The policy, or the coverage", schema: PolicyOrCoverage } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: (caller, params, permission) => authorizeSsoManager(deps, caller, params.org_id, permission),
      async handle({ authorized: caller, query, body, client }) {
        const requiredAt = typeof body.required_at === "string" ? parseTimestamp(body.required_at) : null;
        if (requiredAt === undefined) return err(NOT_A_TIME);
        const displayed = readVersion(body.updated_at);
        if (!displayed.ok) return displayed;
        const settings = {
          mode: body.mode ?? DEFAULT_SSO_POLICY.mode,
          requiredAt,
          guests: body.guests ?? DEFAULT_SSO_POLICY.guests,
          breakGlass: body.break_glass ?? DEFAULT_SSO_POLICY.breakGlass,
          jit: body.jit ?? DEFAULT_SSO_POLICY.jit,
          defaultRole: body.default_role ?? DEFAULT_SSO_POLICY.defaultRole,
          roleRules: body.role_rules ?? DEFAULT_SSO_POLICY.roleRules,
          sync: body.sync ?? DEFAULT_SSO_POLICY.sync,
          requireOwnFactor: body.require_own_factor ?? DEFAULT_SSO_POLICY.requireOwnFactor,
        };
        // The generated client sends all arguments of a PUT in the body.
        if (query.dry_run || body.dry_run) {
          const coverage = await previewPolicy(deps, { caller, settings });
          return coverage.ok ? ok(reply(200, coverageBody(coverage.value))) : coverage;
        }
        const replaced = await replacePolicy(deps, {
          caller,
          settings,
          confirm: body.confirm,
          displayed: displayed.value,
          client,
        });
        return replaced.ok ? ok(reply(200, policyBody(replaced.value))) : replaced;
      },
    }),
  ];
}
