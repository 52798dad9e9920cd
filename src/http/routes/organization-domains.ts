import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { assignConnection, listOrganizationDomains, removeDomain } from "../../flows/organization-domains/manage.ts";
import { transferDomain } from "../../flows/organization-domains/transfer.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import type { Principal } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSsoManager, authorizeSsoReader } from "../../flows/steps/authorization/authorize-sso.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import type { KeyCaller } from "../guards/api-key.ts";
import type { Caller } from "../guards/caller.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import {
  ChangeDomainBody,
  CheckedDomainItem,
  ClaimDomainBody,
  DomainItem,
  DomainsQuery,
  TransferDomainBody,
} from "../schemas/organization-domains.ts";
import { checkedBody, domainBody } from "../sso/domain-bodies.ts";

export type OrganizationDomainDeps = EmailDeps &
  Pick<Deps, "reads" | "domainDirectory" | "ssoDirectory" | "txtResolver">;

const tag = "Single sign-on";

/** docs/contract.md, chapter 29. */
export function organizationDomainRoutes(deps: OrganizationDomainDeps): Endpoint[] {
  return [...collectionRoutes(deps), ...verifyRoutes(deps), ...itemRoutes(deps), ...transferRoutes(deps)];
}

function authorizeManager(deps: OrganizationDomainDeps) {
  return (caller: Principal, params: { readonly org_id: string }) => authorizeSsoManager(deps, caller, params.org_id);
}

function authorizeReader(deps: OrganizationDomainDeps) {
  return (caller: Caller | KeyCaller, params: { readonly org_id: string }) =>
    authorizeSsoReader(deps, caller, params.org_id);
}

function collectionRoutes(deps: OrganizationDomainDeps): Endpoint[] {
  const path = "/orgs/:org_id/domains";
  return [
    endpoint({
      method: "GET",
      path,
      operationId: "listDomains",
      docs: { clientMethod: "sso.domains.list", section: "29.2" },
      tag,
      summary: "List the domains of an organization",
      auth: "administrative",
      permission: "sso.read",
      input: { query: DomainsQuery },
      responses: { 200: { description: "By name", schema: listOf(DomainItem) } },
      problems: ["not_found", "forbidden", "payment_required"],
      authorize: authorizeReader(deps),
      async handle({ authorized: caller, query }) {
        const listing = await listOrganizationDomains(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, domainBody)) : listing;
      },
    }),
    endpoint({
      method: "POST",
      path,
      operationId: "claimDomain",
      docs: { clientMethod: "sso.domains.claim", section: "29.2" },
      stepUp: "grants_power",
      tag,
      summary: "Claim a domain for an organization",
      description: "The domain is verified as soon as DNS has the TXT record of the response.",
      auth: "administrative",
      permission: "sso.manage",
      input: { body: ClaimDomainBody },
      responses: { 201: { description: "Claimed; the status is `pending`", schema: DomainItem } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "conflict"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, body: { domain }, client }) {
        const claimed = await claimDomain(deps, { caller, domain, client });
        return claimed.ok ? ok(reply(201, domainBody(claimed.value))) : claimed;
      },
    }),
  ];
}

function verifyRoutes(deps: OrganizationDomainDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/orgs/:org_id/domains/:id/verify",
      operationId: "verifyDomain",
      docs: { clientMethod: "sso.domains.verify", section: "29.3" },
      stepUp: "grants_power",
      tag,
      summary: "Check the TXT record of a domain now",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 200: { description: "The domain, and the values in DNS", schema: CheckedDomainItem } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required", "rate_limited"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const checked = await verifyDomain(deps, { caller, domainId: params.id, client });
        return checked.ok ? ok(reply(200, checkedBody(checked.value))) : checked;
      },
    }),
  ];
}

function itemRoutes(deps: OrganizationDomainDeps): Endpoint[] {
  const path = "/orgs/:org_id/domains/:id";
  return [
    endpoint({
      method: "PATCH",
      path,
      operationId: "changeDomain",
      docs: { clientMethod: "sso.domains.update", section: "29.2" },
      stepUp: "grants_power",
      tag,
      summary: "Assign a domain to a connection",
      auth: "administrative",
      permission: "sso.manage",
      input: { body: ChangeDomainBody },
      responses: { 200: { description: "The updated domain", schema: DomainItem } },
      problems: ["not_found", "conflict", "forbidden", "payment_required", "mfa_required"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, body, client }) {
        const input = { caller, domainId: params.id, connectionId: body.connection_id, client };
        const changed = await assignConnection(deps, input);
        return changed.ok ? ok(reply(200, domainBody(changed.value))) : changed;
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      operationId: "deleteDomain",
      docs: { clientMethod: "sso.domains.delete", section: "29.2" },
      tag,
      summary: "Remove a domain from an organization",
      auth: "administrative",
      permission: "sso.manage",
      responses: { 204: { description: "Removed" } },
      problems: ["not_found", "forbidden", "payment_required", "mfa_required"],
      authorize: authorizeManager(deps),
      async handle({ authorized: caller, params, client }) {
        const removed = await removeDomain(deps, { caller, domainId: params.id, client });
        return removed.ok ? ok(emptyReply(204)) : removed;
      },
    }),
  ];
}

function transferRoutes(deps: OrganizationDomainDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/admin/domains/:id/transfer",
      operationId: "transferDomain",
      docs: { clientMethod: "admin.domains.transfer", section: "29.5" },
      stepUp: "grants_power",
      tag: "Platform administration",
      summary: "Decide a conflict about a domain for the claimant",
      description: "`id` is the claim. The holder loses the domain; the owners of both organizations receive a mail.",
      auth: "administrative",
      permission: "organizations.write",
      input: { body: TransferDomainBody },
      responses: { 200: { description: "The verified claim", schema: DomainItem } },
      problems: ["not_found", "forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body: { reason }, client }) {
        const transferred = await transferDomain(deps, { caller, domainId: params.id, reason, client });
        return transferred.ok ? ok(reply(200, domainBody(transferred.value))) : transferred;
      },
    }),
  ];
}
