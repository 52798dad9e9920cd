import { invalidInput } from "../../base/invalid-input.ts";
import { err, ok } from "../../base/result.ts";
import { parseTimestamp } from "../../database/timestamp.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { previewPolicies, readPolicies, replacePolicies } from "../../flows/organization-policies/policies.ts";
import { authorizePolicyManager, authorizePolicyReader } from "../../flows/steps/authorization/authorize-policies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { affectedBody, policiesBody, settingsOf } from "../organizations/policy-bodies.ts";
import { reply } from "../reply.ts";
import { PoliciesItem, PoliciesOrAffected, ReplacePoliciesBody } from "../schemas/organization-policies.ts";
import { searchOf } from "../search.ts";

export type OrganizationPolicyDeps = EmailDeps &
  Pick<Deps, "revocations" | "ssoDirectory"> &
  Pick<Deps, "identityProviders">;

const tag = "Policies";
const PATH = "/orgs/:org_id/policies";
/** The parameter is no part of the generated client, whose methods send all arguments of a PUT in the body. */
const DRY_RUN_VALUES = new Set(["true", "false"]);
const BAD_DRY_RUN = invalidInput("dry_run", "unknown_value", "true or false");
const NOT_A_TIME = invalidInput("policies_at", "format", "not an RFC 3339 time");

/** docs/contract.md, chapter 33. */
export function organizationPolicyRoutes(deps: OrganizationPolicyDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: PATH,
      operationId: "getOrganizationPolicies",
      docs: {
        clientMethod: "policies.get",
        section: "33.2",
        access: "caller with `members.list` or `policies.manage`",
      },
      tag,
      summary: "Get the policies of an organization",
      auth: "administrative",
      permission: "members.list",
      responses: { 200: { description: "The policies", schema: PoliciesItem } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: (caller, params) => authorizePolicyReader(deps, caller, params.org_id),
      async handle({ authorized: caller }) {
        const policies = await readPolicies(deps, caller);
        return policies.ok ? ok(reply(200, policiesBody(policies.value))) : policies;
      },
    }),
    endpoint({
      method: "PUT",
      path: PATH,
      operationId: "replaceOrganizationPolicies",
      docs: { clientMethod: "policies.replace", section: "33.2" },
      stepUp: "grants_power",
      tag,
      summary: "Replace the policies of an organization",
      description:
        "An absent member has the default. A policy that would lock out the caller is 409 without `confirm` and a " +
        "user with emergency access. With the query `dry_run=true` nothing changes: the response has the affected " +
        "members.",
      auth: "administrative",
      permission: "policies.manage",
      input: { body: ReplacePoliciesBody },
      responses: { 200: { description: "The policies, or the affected members", schema: PoliciesOrAffected } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: (caller, params) => authorizePolicyManager(deps, caller, params.org_id),
      async handle({ request, authorized: caller, body, client }) {
        const dryRun = searchOf(request).get("dry_run") ?? "false";
        if (!DRY_RUN_VALUES.has(dryRun)) return err(BAD_DRY_RUN);
        const policiesAt = typeof body.policies_at === "string" ? parseTimestamp(body.policies_at) : null;
        if (policiesAt === undefined) return err(NOT_A_TIME);
        const submitted = { caller, settings: settingsOf(body), policiesAt };
        if (dryRun === "true") {
          const affected = await previewPolicies(deps, submitted);
          return affected.ok ? ok(reply(200, affectedBody(affected.value))) : affected;
        }
        const { confirm = false, revision } = body;
        const replaced = await replacePolicies(deps, {
          ...submitted,
          confirm,
          confirmChannels: confirm,
          revision,
          client,
        });
        return replaced.ok ? ok(reply(200, policiesBody(replaced.value))) : replaced;
      },
    }),
  ];
}
