import type { Static } from "@sinclair/typebox";
import { err, ok } from "../../base/result.ts";
import { searchTerm } from "../../database/listing.ts";
import type { Deps, SignInDeps } from "../../deps.ts";
import { requestUserDeletion } from "../../flows/deletions/administer.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { grantsPower } from "../../flows/steps/authorization/grants-power.ts";
import { isExternalId, NOT_AN_EXTERNAL_ID } from "../../flows/users/account-fields.ts";
import { readAdministeredUser, readUserByExternalId } from "../../flows/users/administer.ts";
import { createUsers } from "../../flows/users/batch.ts";
import { changeAccount } from "../../flows/users/change-account.ts";
import { createUser } from "../../flows/users/create.ts";
import { listUsersByCursor, listUsersByPage } from "../../flows/users/search.ts";
import { upsertUser } from "../../flows/users/upsert.ts";
import { USER_BATCH_MAX_BYTES } from "../../limits/management-limits.ts";
import { userDeletionBody } from "../deletion-body.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { rowValidator } from "../input/read-input.ts";
import { listPosition, positionReply } from "../list-position.ts";
import { accountAuthor } from "../management/account-author.ts";
import { BatchSlots } from "../management/batch-slots.ts";
import { accountFieldsOf, adminUserBody, changedFieldsOf } from "../management/user-bodies.ts";
import { reply } from "../reply.ts";
import { UsersQuery } from "../schemas/admin.ts";
import { UserDeletion } from "../schemas/deletions.ts";
import {
  AdminUserItem,
  BatchResults,
  BatchUsersBody,
  ChangeUserBody,
  CreateUserBody,
  DeleteUserBody,
  UpsertUserBody,
} from "../schemas/management.ts";
import { positionedListOf } from "../schemas/positioned-list.ts";
import { isValue } from "../search.ts";

export type AdminUserDeps = SignInDeps & Pick<Deps, "reads">;

const shared = { tag: "Platform administration", auth: "administrative" } as const;
const READ = { ...shared, permission: "users.read" } as const;
const WRITE = { ...shared, permission: "users.write" } as const;
const CHANGES = ["conflict", "forbidden", "not_found", "mfa_required"] as const;

/** docs/contract.md, sections 14.5, 14.6 and 36.1. */
export function adminUserRoutes(deps: AdminUserDeps): Endpoint[] {
  return [...listRoutes(deps), ...creationRoutes(deps), ...userRoutes(deps), ...externalIdRoutes(deps)];
}

function listRoutes(deps: AdminUserDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: "/admin/users",
      operationId: "searchUsers",
      docs: { clientMethod: "admin.users.search", section: "14.5" },
      summary: "List or search users of all organizations",
      input: { query: UsersQuery },
      responses: { 200: { description: "Newest first by default", schema: positionedListOf(AdminUserItem) } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, query }) {
        const position = listPosition(deps, "users", query);
        if (!position.ok) return position;
        const search = {
          q: searchTerm(query.q),
          disabled: isValue(query.status, "disabled"),
          platformRole: query.platform_role,
          mfaEnabled: isValue(query.mfa_enabled, "true"),
          organizationId: query.organization_id,
          email: query.email,
          externalId: query.external_id,
          managedBy: query.managed_by,
          createdFrom: query.created_from,
          createdTo: query.created_to,
          lastLoginFrom: query.last_login_from,
          lastLoginTo: query.last_login_to,
          sort: query.sort,
        };
        const input = { caller, search, withMetadata: query.metadata === "true" };
        const found = position.value.page
          ? await listUsersByPage(deps, { ...input, page: position.value.page })
          : await listUsersByCursor(deps, { ...input, ...position.value });
        return found.ok
          ? ok(positionReply(deps, "users", query, found.value, (user) => adminUserBody(deps.config, user)))
          : found;
      },
    }),
  ];
}

/** Whether a membership of the user gives power in an organization. */
function givesPower({ memberships = [] }: Pick<Static<typeof UpsertUserBody>, "memberships">): boolean {
  return memberships.some(({ role = "member", role_ids }) => grantsPower(role, role_ids));
}

const validateRow = rowValidator(CreateUserBody);

function creationRoutes(deps: AdminUserDeps): Endpoint[] {
  const slots = new BatchSlots();
  return [
    endpoint({
      ...WRITE,
      method: "POST",
      path: "/admin/users",
      operationId: "createUser",
      docs: { clientMethod: "admin.users.create", section: "36.1" },
      summary: "Create a user",
      description: "Sends no email. Memberships need the permission members.add.",
      stepUp: "grants_power",
      stepUpFor: givesPower,
      input: { body: CreateUserBody },
      responses: { 201: { description: "Created", schema: AdminUserItem } },
      problems: ["conflict", "forbidden", "rate_limited", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ caller, authorized, body, client }) {
        const author = accountAuthor(deps, caller, authorized, client);
        const user = await createUser(deps, { ...author, fields: accountFieldsOf(body), source: "api" });
        return user.ok ? ok(reply(201, adminUserBody(deps.config, user.value))) : user;
      },
    }),
    endpoint({
      ...WRITE,
      method: "POST",
      path: "/admin/users/batch",
      operationId: "createUsers",
      docs: { clientMethod: "admin.users.batch", section: "36.1" },
      summary: "Create up to 100 users",
      description: "Each row is one transaction: a refused row stops no other row.",
      stepUp: "grants_power",
      stepUpFor: ({ users }) => users.some(({ memberships }) => memberships !== undefined),
      input: { body: BatchUsersBody, bodyMaxBytes: USER_BATCH_MAX_BYTES },
      responses: { 200: { description: "The outcome of each row, in order", schema: BatchResults } },
      problems: ["forbidden", "rate_limited", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ caller, authorized, body, client, admitBatch }) {
        const author = accountAuthor(deps, caller, authorized, client);
        const rows = body.users.map((row) => {
          const valid = validateRow(row);
          return valid.ok ? ok(accountFieldsOf(valid.value)) : valid;
        });
        const callerId = "key" in caller ? caller.key.serviceAccountId : caller.session.userId;
        return await slots.run(callerId, async () => {
          // In the slot, so that a batch without a slot or a turn counts as one request.
          const counted = await admitBatch(rows.length);
          if (!counted.ok) return counted;
          const outcomes = await createUsers(deps, { ...author, rows });
          const results = outcomes.map((each, index) => ({
            index,
            outcome: each.outcome,
            user_id: each.outcome === "refused" ? null : each.userId,
            error: each.outcome === "refused" ? { code: each.refusal.code, message: each.refusal.message } : null,
          }));
          return ok(reply(200, { results }));
        });
      },
    }),
  ];
}

function userRoutes(deps: AdminUserDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: "/admin/users/:id",
      operationId: "getUserAsAdmin",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.get", section: "36.1" },
      summary: "Get a user, with metadata",
      responses: { 200: { description: "The user", schema: AdminUserItem } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params }) {
        const user = await readAdministeredUser(deps, caller, params.id);
        return user.ok ? ok(reply(200, adminUserBody(deps.config, user.value))) : user;
      },
    }),
    endpoint({
      ...WRITE,
      method: "PATCH",
      path: "/admin/users/:id",
      operationId: "administerUser",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.update", section: "14.6" },
      summary: "Change, disable or enable a user",
      description:
        "Disabling ends all sessions of the user. Forbidden for a user with a higher platform role than the caller.",
      input: { body: ChangeUserBody },
      responses: { 200: { description: "The updated user", schema: AdminUserItem } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body, client }) {
        const change = { caller, userId: params.id, fields: changedFieldsOf(body), client };
        const user = await changeAccount(deps, change);
        return user.ok ? ok(reply(200, adminUserBody(deps.config, user.value))) : user;
      },
    }),
    endpoint({
      ...shared,
      method: "DELETE",
      path: "/admin/users/:id",
      operationId: "removeUser",
      version: { of: "user", by: "id" },
      docs: { clientMethod: "admin.users.delete", section: "36.1" },
      summary: "Delete a user",
      description: "As POST …/deletion.",
      permission: "users.delete",
      input: { body: DeleteUserBody },
      responses: { 202: { description: "The account is closed, and erased later", schema: UserDeletion } },
      problems: CHANGES,
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params, body: { reason = "Request by API" }, client }) {
        const outcome = await requestUserDeletion(deps, { caller, userId: params.id, reason, client });
        return outcome.ok ? ok(reply(202, userDeletionBody(outcome.value))) : outcome;
      },
    }),
  ];
}

const BY_EXTERNAL_ID = "/admin/users/by-external-id/:external_id";

function externalIdRoutes(deps: AdminUserDeps): Endpoint[] {
  return [
    endpoint({
      ...READ,
      method: "GET",
      path: BY_EXTERNAL_ID,
      operationId: "getUserByExternalId",
      version: { of: "external_user", by: "external_id" },
      docs: { clientMethod: "admin.users.getByExternalId", section: "36.1" },
      summary: "Get a user by the key of a program",
      input: { textParameters: true },
      responses: { 200: { description: "The user", schema: AdminUserItem } },
      problems: ["forbidden", "not_found", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller, params }) {
        const user = await readUserByExternalId(deps, caller, params.external_id);
        return user.ok ? ok(reply(200, adminUserBody(deps.config, user.value))) : user;
      },
    }),
    endpoint({
      ...WRITE,
      method: "PUT",
      path: BY_EXTERNAL_ID,
      operationId: "upsertUser",
      version: { of: "external_user", by: "external_id" },
      docs: { clientMethod: "admin.users.upsert", section: "36.1" },
      summary: "Create or change a user by the key of a program",
      description: "Safe to repeat: without a difference nothing changes. Of parallel requests one creates.",
      stepUp: "grants_power",
      stepUpFor: givesPower,
      input: { textParameters: true, body: UpsertUserBody },
      responses: {
        200: { description: "Found, changed if different", schema: AdminUserItem },
        201: { description: "Created", schema: AdminUserItem },
      },
      problems: ["conflict", "forbidden", "not_found", "rate_limited", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ caller, authorized, params, body, client }) {
        const { external_id: externalId } = params;
        if (!isExternalId(externalId)) return err(NOT_AN_EXTERNAL_ID);
        const author = accountAuthor(deps, caller, authorized, client);
        const { adopt_by_email: adoptByEmail = false } = body;
        const input = { ...author, externalId, fields: accountFieldsOf(body), adoptByEmail };
        const outcome = await upsertUser(deps, input);
        if (!outcome.ok) return outcome;
        const shown = adminUserBody(deps.config, outcome.value.user);
        return ok(outcome.value.created ? reply(201, shown) : reply(200, shown));
      },
    }),
  ];
}
