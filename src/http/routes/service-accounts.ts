import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SessionDeps } from "../../deps.ts";
import { createApiKey, listKeys, revokeKey } from "../../flows/service-accounts/keys.ts";
import { createServiceAccount, listAccounts, removeServiceAccount } from "../../flows/service-accounts/manage.ts";
import type { ApiKey } from "../../models/service-account/api-key.ts";
import type { ServiceAccount } from "../../models/service-account/service-account.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import {
  authorizeFor,
  authorizeReaderFor,
  type ServiceAccountScopeRoute,
  serviceAccountScopes,
} from "../organizations/service-account-scopes.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf } from "../schemas/common.ts";
import {
  AccountsQuery,
  ApiKeys,
  CreateAccountBody,
  CreatedApiKey,
  CreateKeyBody,
  ServiceAccountItem,
} from "../schemas/service-accounts.ts";

export type ServiceAccountDeps = SessionDeps & Pick<Deps, "reads">;

const tag = "Service accounts";

/** docs/contract.md, chapter 25. */
export function serviceAccountRoutes(deps: ServiceAccountDeps): Endpoint[] {
  return serviceAccountScopes("service-accounts").flatMap((home) => [
    ...accountRoutes(deps, home),
    ...keyRoutes(deps, home),
    ...keyEndRoutes(deps, home),
  ]);
}

/** The paths of one scope. The organization parameter is optional, so the type contains the parameter. */
function pathsOf({ base }: ServiceAccountScopeRoute) {
  return {
    accounts: base as "/:org_id",
    account: `${base}/:id` as "/:org_id/:id",
    keys: `${base}/:id/keys` as "/:org_id/:id",
    key: `${base}/:id/keys/:key_id` as "/:org_id/:id/:key_id",
  };
}

function accountRoutes(deps: ServiceAccountDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const paths = pathsOf(home);
  return [
    endpoint({
      method: "POST",
      path: paths.accounts,
      operationId: `create${home.word}ServiceAccount`,
      docs: { clientMethod: `${home.methods}serviceAccounts.create`, section: "25.2" },
      tag,
      summary: `Create a service account of ${home.of}`,
      auth: "administrative",
      permission: home.write,
      input: { body: CreateAccountBody },
      responses: { 201: { description: "Created, without a key", schema: ServiceAccountItem } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, body, client }) {
        const account = await createServiceAccount(deps, { caller, name: body.name, client });
        return account.ok ? ok(reply(201, accountBody(account.value))) : account;
      },
    }),
    endpoint({
      method: "GET",
      path: paths.accounts,
      operationId: `list${home.word}ServiceAccounts`,
      docs: { clientMethod: `${home.methods}serviceAccounts.list`, section: "25.2" },
      tag,
      summary: `List the service accounts of ${home.of}`,
      auth: "administrative",
      permission: home.read,
      input: { query: AccountsQuery },
      responses: { 200: { description: "Newest first", schema: listOf(ServiceAccountItem) } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, query }) {
        const listing = await listAccounts(deps, { caller, page: clampPage(query.page, query.page_size) });
        return listing.ok ? ok(listReply(listing.value, accountBody)) : listing;
      },
    }),
    endpoint({
      method: "DELETE",
      path: paths.account,
      operationId: `delete${home.word}ServiceAccount`,
      docs: { clientMethod: `${home.methods}serviceAccounts.delete`, section: "25.2" },
      tag,
      summary: `Delete a service account of ${home.of}, and its keys`,
      auth: "administrative",
      permission: home.write,
      responses: { 204: { description: "Deleted; its keys are refused" } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeServiceAccount(deps, { caller, accountId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function keyRoutes(deps: ServiceAccountDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  const authorize = authorizeFor(deps, home.write);
  const paths = pathsOf(home);
  return [
    endpoint({
      method: "POST",
      path: paths.keys,
      operationId: `create${home.word}ApiKey`,
      docs: { clientMethod: `${home.methods}apiKeys.create`, section: "25.3" },
      stepUp: "adds_credential",
      tag,
      summary: `Create an API key of a service account of ${home.of}`,
      description: "Only this response contains the key. An account has at most two live keys.",
      auth: "administrative",
      permission: home.write,
      input: { body: CreateKeyBody },
      responses: { 201: { description: "Created", schema: CreatedApiKey } },
      problems: ["not_found", "forbidden", "conflict", "mfa_required"],
      authorize,
      async handle({ authorized: caller, params, body, client }) {
        const created = await createApiKey(deps, {
          caller,
          accountId: params.id,
          name: body.name ?? null,
          scopes: body.scopes,
          allowedIps: body.allowed_ips ?? [],
          allowedReferrers: body.allowed_referrers ?? [],
          organizations: body.organizations ?? null,
          expiresInDays: body.expires_in_days,
          client,
        });
        if (!created.ok) return created;
        return ok(reply(201, { ...apiKeyBody(created.value.apiKey), key: created.value.key }));
      },
    }),
    endpoint({
      method: "GET",
      path: paths.keys,
      operationId: `list${home.word}ApiKeys`,
      docs: { clientMethod: `${home.methods}apiKeys.list`, section: "25.3" },
      tag,
      summary: `List the API keys of a service account of ${home.of}`,
      auth: "administrative",
      permission: home.read,
      responses: { 200: { description: "Newest first, ended ones of the last 90 days included", schema: ApiKeys } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeReaderFor(deps, home.write),
      async handle({ authorized: caller, params }) {
        const keys = await listKeys(deps, { caller, accountId: params.id });
        return keys.ok ? ok(reply(200, { items: keys.value.map(apiKeyBody) })) : keys;
      },
    }),
  ];
}

function keyEndRoutes(deps: ServiceAccountDeps, home: ServiceAccountScopeRoute): Endpoint[] {
  return [
    endpoint({
      method: "DELETE",
      path: pathsOf(home).key,
      operationId: `revoke${home.word}ApiKey`,
      docs: { clientMethod: `${home.methods}apiKeys.revoke`, section: "25.3" },
      tag,
      summary: `Revoke an API key of ${home.of}`,
      auth: "administrative",
      permission: home.write,
      responses: { 204: { description: "Revoked, now or before" } },
      problems: ["not_found", "forbidden", "mfa_required"],
      authorize: authorizeFor(deps, home.write),
      async handle({ authorized: caller, params, client }) {
        const outcome = await revokeKey(deps, { caller, accountId: params.id, keyId: params.key_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function accountBody(account: ServiceAccount) {
  return {
    id: account.id,
    organization_id: account.organizationId,
    name: account.name,
    created_by: account.createdBy,
    created_at: account.createdAt.toISOString(),
  };
}

function apiKeyBody(key: ApiKey) {
  return {
    id: key.id,
    service_account_id: key.serviceAccountId,
    key_id: key.keyId,
    name: key.name,
    scopes: key.scopes,
    organizations: key.organizations,
    allowed_ips: key.allowedIps,
    allowed_referrers: key.allowedReferrers,
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
