import { err, ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, EmailDeps, SessionDeps } from "../../deps.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { listOrganizationDomains } from "../../flows/organization-domains/manage.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import {
  beginSetup,
  describeSetupLink,
  previewSetupLink,
  type SetupLinkView,
} from "../../flows/sso/setup-links/begin.ts";
import { createSetupToken } from "../../flows/sso/setup-links/directory.ts";
import { finishSetupLink } from "../../flows/sso/setup-links/manage.ts";
import { NO_SETUP_LINK } from "../../flows/steps/authorization/authorize-setup-link.ts";
import { clearedSetupLinkCookie, SETUP_COOKIE, setupLinkCookie } from "../cookies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import { CheckedDomainItem, ClaimDomainBody, DomainItem, DomainsQuery } from "../schemas/organization-domains.ts";
import {
  SetupBegunItem,
  SetupDirectoryToken,
  SetupInvitationItem,
  SetupItem,
  SetupTokenBody,
} from "../schemas/setup-links.ts";
import { checkedBody, domainBody } from "../sso/domain-bodies.ts";
import {
  changeSetupCaller,
  ofLink,
  readSetupCaller,
  SETUP_CHANGE_PROBLEMS,
  SETUP_READ_PROBLEMS,
  setupCsrfToken,
} from "../sso/setup-call.ts";

export type SetupRouteDeps = SessionDeps &
  EmailDeps &
  Pick<Deps, "csrfKey" | "domainDirectory" | "reads" | "ssoDirectory" | "txtResolver">;

/** docs/contract.md, sections 29.53 and 29.54. */
export function setupRoutes(deps: SetupRouteDeps): Endpoint[] {
  return [...linkRoutes(deps), ...lifeRoutes(deps), ...domainRoutes(deps), ...directoryRoutes(deps)];
}

function linkRoutes(deps: SetupRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/preview",
      operationId: "previewSetupLink",
      docs: { clientMethod: "setup.preview", section: "29.53", access: "none, token in the body" },
      summary: "Read the invitation of a set-up link",
      description: "Consumes nothing: mail scanners follow links.",
      limits: { address: "sign_in" },
      input: { body: SetupTokenBody },
      responses: { 200: { description: "The invitation", schema: SetupInvitationItem } },
      problems: ["authentication_required"],
      async handle({ body }) {
        const found = await previewSetupLink(deps, body.token);
        return found.ok ? ok(reply(200, invitationBody(found.value))) : found;
      },
    }),
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/begin",
      operationId: "beginSetup",
      docs: { clientMethod: "setup.begin", section: "29.53", access: "none, token in the body" },
      summary: "Bind a set-up link to this browser for good",
      limits: { address: "sign_in" },
      input: { body: SetupTokenBody },
      responses: {
        200: { description: "Started; the cookie is set", schema: SetupBegunItem, headers: ["Set-Cookie"] },
      },
      problems: ["authentication_required"],
      async handle({ body, client, request }) {
        const begun = await beginSetup(deps, { token: body.token, client });
        if (!begun.ok) return begun;
        const setup = await readSetupCaller(deps, { request, cookies: { [SETUP_COOKIE]: begun.value } });
        if (!setup.ok) return err(NO_SETUP_LINK);
        const cookies = [setupLinkCookie(deps.config, begun.value)];
        return ok(reply(200, { csrf_token: setupCsrfToken(deps, setup.value.link) }, { cookies }));
      },
    }),
  ];
}

function lifeRoutes(deps: SetupRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "GET",
      path: "/setup",
      operationId: "getSetup",
      docs: { clientMethod: "setup.get", section: "29.53", access: "set-up link" },
      summary: "Read the begun set-up link of this browser",
      limits: { address: "public_reads" },
      responses: { 200: { description: "The link and its tasks", schema: SetupItem } },
      problems: SETUP_READ_PROBLEMS,
      async handle(call) {
        const setup = await readSetupCaller(deps, call);
        if (!setup.ok) return setup;
        const { link } = setup.value;
        return ok(
          reply(200, {
            ...invitationBody(await describeSetupLink(deps, link)),
            connection_id: link.connectionId,
            directory_token_created: link.directoryTokenAt !== null,
            csrf_token: setupCsrfToken(deps, link),
          }),
        );
      },
    }),
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/finish",
      operationId: "finishSetup",
      docs: { clientMethod: "setup.finish", section: "29.53", access: "set-up link" },
      summary: "Finish the set-up: the link ends at once",
      limits: { address: "sign_in" },
      responses: { 204: { description: "Finished", headers: ["Set-Cookie"] } },
      problems: SETUP_CHANGE_PROBLEMS,
      async handle(call) {
        const setup = await changeSetupCaller(deps, call);
        if (!setup.ok) return setup;
        const { caller, link } = setup.value;
        const input = { caller, linkId: link.id, reason: "completed", client: call.client } as const;
        const ended = await finishSetupLink(deps, input);
        return ended.ok ? ok(emptyReply(204, { cookies: [clearedSetupLinkCookie(deps.config)] })) : err(NO_SETUP_LINK);
      },
    }),
  ];
}

function domainRoutes(deps: SetupRouteDeps): Endpoint[] {
  const path = "/setup/domains";
  return [
    endpoint({
      ...ofLink,
      method: "GET",
      path,
      operationId: "listSetupDomains",
      docs: { clientMethod: "setup.domains.list", section: "29.54", access: "set-up link, `domains`" },
      summary: "List the domains of the organization of a set-up link",
      limits: { address: "public_reads" },
      input: { query: DomainsQuery },
      responses: { 200: { description: "By name", schema: listOf(DomainItem) } },
      problems: SETUP_READ_PROBLEMS,
      async handle(call) {
        const setup = await readSetupCaller(deps, call, "domains");
        if (!setup.ok) return setup;
        const page = clampPage(call.query.page, call.query.page_size);
        const listing = await listOrganizationDomains(deps, { caller: setup.value.caller, page });
        return listing.ok ? ok(listReply(listing.value, domainBody)) : listing;
      },
    }),
    endpoint({
      ...ofLink,
      method: "POST",
      path,
      operationId: "claimSetupDomain",
      docs: { clientMethod: "setup.domains.claim", section: "29.54", access: "set-up link, `domains`" },
      summary: "Claim a domain by a set-up link",
      limits: { address: "sign_in" },
      input: { body: ClaimDomainBody },
      responses: { 201: { description: "Claimed; the status is `pending`", schema: DomainItem } },
      problems: [...SETUP_CHANGE_PROBLEMS, "conflict"],
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "domains");
        if (!setup.ok) return setup;
        const { body, client } = call;
        const claimed = await claimDomain(deps, { caller: setup.value.caller, domain: body.domain, client });
        return claimed.ok ? ok(reply(201, domainBody(claimed.value))) : claimed;
      },
    }),
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/domains/:id/verify",
      operationId: "verifySetupDomain",
      docs: { clientMethod: "setup.domains.verify", section: "29.54", access: "set-up link, `domains`" },
      summary: "Check the TXT record of a domain now, by a set-up link",
      limits: { address: "sign_in" },
      responses: { 200: { description: "The domain, and the values in DNS", schema: CheckedDomainItem } },
      problems: [...SETUP_CHANGE_PROBLEMS, "not_found"],
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "domains");
        if (!setup.ok) return setup;
        const { params, client } = call;
        const checked = await verifyDomain(deps, { caller: setup.value.caller, domainId: params.id, client });
        return checked.ok ? ok(reply(200, checkedBody(checked.value))) : checked;
      },
    }),
  ];
}

function directoryRoutes(deps: SetupRouteDeps): Endpoint[] {
  return [
    endpoint({
      ...ofLink,
      method: "POST",
      path: "/setup/directory-token",
      operationId: "createSetupDirectoryToken",
      docs: { clientMethod: "setup.createDirectoryToken", section: "29.56", access: "set-up link, `directory`" },
      summary: "Create the one token of the directory by a set-up link",
      description: "409 for a second token. The directory gets the default settings if there is none.",
      limits: { address: "sign_in" },
      responses: { 201: { description: "Created", schema: SetupDirectoryToken } },
      problems: [...SETUP_CHANGE_PROBLEMS, "conflict", "not_found"],
      async handle(call) {
        const setup = await changeSetupCaller(deps, call, "directory");
        if (!setup.ok) return setup;
        const created = await createSetupToken(deps, { setup: setup.value, client: call.client });
        if (!created.ok) return created;
        const { publicBaseUrl, routePrefix } = deps.config.urls;
        return ok(reply(201, { token: created.value.key, base_url: `${publicBaseUrl}${routePrefix}/scim/v2` }));
      },
    }),
  ];
}

function invitationBody({ link, organizationName, inviterName }: SetupLinkView) {
  return {
    id: link.id,
    organization_id: link.organizationId,
    organization_name: organizationName,
    invited_by: inviterName,
    email: link.email,
    intents: [...link.intents],
    expires_at: link.expiresAt.toISOString(),
  };
}
