import { ok } from "../../base/result.ts";
import { clampPage } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { endSessionOf, endSessionsOf, listSessionsOf, readAdministeredUser } from "../../flows/users/administer.ts";
import { listIdentitiesOf, listPasskeysOf, readMfaStatusOf } from "../../flows/users/credentials.ts";
import { removeIdentity, removePasskey } from "../../flows/users/remove-credential.ts";
import { replaceEmail, replacePassword } from "../../flows/users/replace-credentials.ts";
import { PASSKEYS_PER_USER_MAX } from "../../limits/credential-limits.ts";
import { identityBody, passkeyBody } from "../credential-bodies.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { adminUserBody } from "../management/user-bodies.ts";
import { emptyReply, listReply, reply } from "../reply.ts";
import { listOf, PageQuery } from "../schemas/common.ts";
import { LinkedIdentityItem } from "../schemas/identities.ts";
import {
  AdminUserItem,
  ReplaceEmailBody,
  ReplacePasswordBody,
  UserFactors,
  UserSessionItem,
} from "../schemas/management.ts";
import { userSessionBody } from "../session-body.ts";

type CredentialDeps = SignInDeps & Pick<Deps, "reads">;

const shared = { tag: "Platform administration", auth: "administrative" } as const;
const READ = { ...shared, permission: "users.read" } as const;
const WRITE = { ...shared, permission: "users.write" } as const;
const CREDENTIALS = { ...shared, permission: "users.credentials" } as const;
const CHANGES = ["forbidden", "not_found", "mfa_required"] as const;

/** docs/contract.md, section 36.2. */
export function adminCredentialRoutes(deps: CredentialDeps): Endpoint[] {
  return [...replacementRoutes(deps), ...sessionRoutes(deps), ...factorRoutes(deps), ...identityRoutes(deps)];
}

function replacementRoutes(deps: CredentialDeps): Endpoint[] {
  return [
    endpoint({
      ...CREDENTIALS,
      method: "PUT",
      path: "/admin/users/:id/password",
      operationId: "replaceUserPassword",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.replacePassword", section: "36.2" },
      summary: "Set the password of a user",
      description: "Ends sessions, trusted browsers, links and codes of the user, and notifies the user by email.",
      stepUp: "adds_credential",
      input: { body: ReplacePasswordBody },
      responses: { 204: { description: "Set" } },
      problems: [...CHANGES, "rate_limited"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const { password, password_hash: passwordHash } = body;
        const outcome = await replacePassword(deps, { caller, userId: params.id, password, passwordHash, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      ...CREDENTIALS,
      method: "PUT",
      path: "/admin/users/:id/email",
      operationId: "replaceUserEmail",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.replaceEmail", section: "36.2" },
      summary: "Replace the primary address of a user",
      description: "The mailbox of a controlled former address gets an undo link of seven days.",
      stepUp: "adds_credential",
      input: { body: ReplaceEmailBody },
      responses: { 200: { description: "The user", schema: AdminUserItem } },
      problems: [...CHANGES, "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body: { email, email_verified: verified = false }, client }) {
        const user = await replaceEmail(deps, { caller, userId: params.id, email, verified, client });
        return user.ok ? ok(reply(200, adminUserBody(deps.config, user.value))) : user;
      },
    }),
  ];
}

function sessionRoutes(deps: CredentialDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: "/admin/users/:id/sessions",
      operationId: "listUserSessions",
      docs: { clientMethod: "admin.users.sessions", section: "36.2" },
      summary: "List the live sessions of a user",
      input: { query: PageQuery },
      responses: { 200: { description: "Newest first", schema: listOf(UserSessionItem) } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, query }) {
        const user = await readAdministeredUser(deps, caller, params.id);
        if (!user.ok) return user;
        const page = clampPage(query.page, query.page_size);
        const listing = await listSessionsOf(deps, { caller, userId: params.id, page });
        return ok(listReply(listing, (session) => userSessionBody(deps, session)));
      },
    }),
    endpoint({
      ...WRITE,
      method: "DELETE",
      path: "/admin/users/:id/sessions",
      operationId: "endUserSessions",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.endSessions", section: "36.2" },
      summary: "End all sessions of a user",
      responses: { 204: { description: "Ended" } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await endSessionsOf(deps, { caller, userId: params.id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
    endpoint({
      ...WRITE,
      method: "DELETE",
      path: "/admin/users/:id/sessions/:session_id",
      operationId: "endUserSession",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.endSession", section: "36.2" },
      summary: "End one session of a user",
      responses: { 204: { description: "Ended, now or before" } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const { id: userId, session_id: sessionId } = params;
        const outcome = await endSessionOf(deps, { caller, userId, sessionId, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function factorRoutes(deps: CredentialDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: "/admin/users/:id/factors",
      operationId: "listUserFactors",
      docs: { clientMethod: "admin.users.factors", section: "36.2" },
      summary: "The second factor and the passkeys of a user",
      responses: { 200: { description: "The factors", schema: UserFactors } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params }) {
        const user = await readAdministeredUser(deps, caller, params.id);
        if (!user.ok) return user;
        const of = { caller, userId: params.id };
        const [mfa, passkeys] = await Promise.all([
          readMfaStatusOf(deps, of),
          listPasskeysOf(deps, { ...of, page: { page: 1, pageSize: PASSKEYS_PER_USER_MAX } }),
        ]);
        const { enabledAt, recoveryCodesRemaining } = mfa;
        return ok(
          reply(200, {
            mfa: {
              enabled: enabledAt !== null,
              enabled_at: enabledAt?.toISOString() ?? null,
              recovery_codes_remaining: recoveryCodesRemaining,
            },
            passkeys: passkeys.items.map(passkeyBody),
          }),
        );
      },
    }),
    endpoint({
      ...CREDENTIALS,
      method: "DELETE",
      path: "/admin/users/:id/passkeys/:passkey_id",
      operationId: "removeUserPasskey",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.removePasskey", section: "36.2" },
      summary: "Remove a passkey of a user",
      description: "The user is notified by email.",
      stepUp: "ends_credentials",
      responses: { 204: { description: "Removed" } },
      problems: [...CHANGES, "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removePasskey(deps, { caller, userId: params.id, id: params.passkey_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}

function identityRoutes(deps: CredentialDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: "/admin/users/:id/identities",
      operationId: "listUserIdentities",
      docs: { clientMethod: "admin.users.identities", section: "36.2" },
      summary: "List the linked providers of a user",
      input: { query: PageQuery },
      responses: { 200: { description: "Oldest first", schema: listOf(LinkedIdentityItem) } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, query }) {
        const user = await readAdministeredUser(deps, caller, params.id);
        if (!user.ok) return user;
        const page = clampPage(query.page, query.page_size);
        const identities = await listIdentitiesOf(deps, { caller, userId: params.id });
        const items = identities.slice((page.page - 1) * page.pageSize, page.page * page.pageSize);
        return ok(listReply({ ...page, items, total: identities.length }, identityBody));
      },
    }),
    endpoint({
      ...CREDENTIALS,
      method: "DELETE",
      path: "/admin/users/:id/identities/:identity_id",
      operationId: "removeUserIdentity",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.removeIdentity", section: "36.2" },
      summary: "Unlink a provider from a user",
      description: "The user is notified by email.",
      stepUp: "ends_credentials",
      responses: { 204: { description: "Unlinked" } },
      problems: [...CHANGES, "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, params, client }) {
        const outcome = await removeIdentity(deps, { caller, userId: params.id, id: params.identity_id, client });
        return outcome.ok ? ok(emptyReply(204)) : outcome;
      },
    }),
  ];
}
