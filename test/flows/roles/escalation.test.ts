/** No way to a permission that no grantor has, in process: templates, directory, single sign-on, two editors (G252). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { putDirectory } from "../../../src/flows/directories/administer.ts";
import { mapGroupRole } from "../../../src/flows/directories/map-group.ts";
import { approveRequest } from "../../../src/flows/domain-join/decide-request.ts";
import { createGroup } from "../../../src/flows/groups/edit-group.ts";
import { acceptInvitation } from "../../../src/flows/invitations/accept.ts";
import { createInvitation } from "../../../src/flows/invitations/create.ts";
import { changeRole } from "../../../src/flows/members/change.ts";
import { claimDomain } from "../../../src/flows/organization-domains/claim.ts";
import { verifyDomain } from "../../../src/flows/organization-domains/verify.ts";
import { replacePolicies } from "../../../src/flows/organization-policies/policies.ts";
import { createRole, updateRoleSettings } from "../../../src/flows/roles/administer-roles.ts";
import { assignRoles } from "../../../src/flows/roles/assign-roles.ts";
import { createApiKey } from "../../../src/flows/service-accounts/keys.ts";
import { createServiceAccount } from "../../../src/flows/service-accounts/manage.ts";
import type { SubmittedConfig } from "../../../src/flows/sso/connections/connection-change.ts";
import { activateConnection } from "../../../src/flows/sso/connections/set-status.ts";
import { updateConnectionSettings } from "../../../src/flows/sso/connections/update.ts";
import { replacePolicy } from "../../../src/flows/sso/policy/replace.ts";
import { authorizePermission } from "../../../src/flows/steps/authorization/authorize-member.ts";
import { authorizePlatformRole } from "../../../src/flows/steps/authorization/authorize-platform-role.ts";
import { authorizeServiceAccountAdmin } from "../../../src/flows/steps/authorization/authorize-service-accounts.ts";
import { DEFAULT_SSO_POLICY, type PolicySettings } from "../../../src/models/sso-policy/sso-policy.ts";
import type { MemberRole } from "../../../src/vocabulary/member-power.ts";
import type { Permission } from "../../../src/vocabulary/permissions.ts";
import { DEFAULT_POLICY } from "../../../src/vocabulary/policy-settings.ts";
import { DEFAULT_SAML_CONFIG } from "../../../src/vocabulary/sso/saml-config.ts";
import { type Account, callerOf, clientAt, codeOf, registerAccount, tokenIn, unwrap } from "../../support/accounts.ts";
import { newEmail, PASSWORD } from "../../support/client.ts";
import { type Flows, openFlows } from "../../support/flows.ts";
import { verifySessionsOf } from "../../support/platform.ts";
import { samlKeys } from "../../support/saml/keys.ts";
import { assignPlatformRole } from "../../support/states.ts";

let flows: Flows;
let administrator: Account;
const client = clientAt();

beforeAll(async () => {
  flows = await openFlows();
  administrator = await registerAccount(flows);
  await assignPlatformRole(flows.sql, administrator.userId, "admin");
  await verifySessionsOf(flows, administrator.userId);
});
afterAll(() => flows.close());

let keys = 0;
const newRole = (permissions: readonly string[]) => {
  keys += 1;
  return { key: `role-${keys}`, name: `Role ${keys}`, description: "", permissions };
};

async function platform() {
  const caller = unwrap(
    await authorizePlatformRole(flows.deps, await callerOf(flows, administrator.signedIn), "admin"),
  );
  return { kind: "platform", caller } as const;
}

/** A member of the organization as caller with a permission. */
async function callerIn(organizationId: string, account: Account, permission: Permission) {
  return unwrap(
    await authorizePermission(flows.deps, await callerOf(flows, account.signedIn), organizationId, permission),
  );
}

async function roleIn({ organizationId, ...owner }: Account, permissions: readonly string[]) {
  const caller = await callerIn(organizationId, { organizationId, ...owner }, "roles.manage");
  const settings = newRole(permissions);
  return unwrap(await createRole(flows.deps, { owner: { kind: "organization", caller }, client, settings }));
}

/** A member of the owner's organization, in a built-in role, with a role of the permissions. */
async function memberOf(owner: Account, permissions: readonly string[], base: MemberRole = "member") {
  const { organizationId } = owner;
  const account = await registerAccount(flows);
  await flows.sql`insert into members values (${organizationId}, ${account.userId}, ${base}, now())`;
  const role = await roleIn(owner, permissions);
  const caller = await callerIn(organizationId, owner, "members.role");
  unwrap(await assignRoles(flows.deps, { caller, userId: account.userId, roleIds: [role.id], client }));
  return { ...account, role };
}

const permissionsHeld = async (organizationId: string, userId: string): Promise<string[]> => {
  const rows = await flows.sql`
    select distinct unnest(r.permissions) as permission
    from member_roles h join organization_roles r on r.id = h.role_id
    where h.organization_id = ${organizationId} and h.user_id = ${userId} order by 1`;
  return rows.map(({ permission }) => permission);
};

describe("templates", () => {
  test("A member assigns, invites with and groups no template beyond the member's permissions.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const editor = await memberOf(owner, ["members.role", "members.invite", "members.list"]);
    const target = await memberOf(owner, []);
    const settings = newRole(["audit.read"]);
    const template = unwrap(await createRole(flows.deps, { owner: await platform(), client, settings }));
    const caller = await callerIn(organizationId, editor, "members.role");
    const roleIds = [template.id];
    const outcomes = [
      await assignRoles(flows.deps, { caller, userId: target.userId, roleIds: [...roleIds, target.role.id], client }),
      await createGroup(flows.deps, { caller, client, settings: { name: "Readers", description: "", roleIds } }),
      await createInvitation(flows.deps, { caller, email: newEmail(), role: "member", roleIds, client }),
    ];
    expect(outcomes.map(codeOf)).toEqual(["forbidden", "forbidden", "forbidden"]);
    expect(await permissionsHeld(organizationId, target.userId)).toEqual([]);
  });

  test("A template that became wider after the invitation is dropped, and the owners learn of it.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const inviter = await memberOf(owner, ["members.invite", "members.list"]);
    const settings = newRole(["members.list"]);
    const template = unwrap(await createRole(flows.deps, { owner: await platform(), client, settings }));
    const caller = await callerIn(organizationId, inviter, "members.invite");
    const email = newEmail();
    unwrap(await createInvitation(flows.deps, { caller, email, role: "member", roleIds: [template.id], client }));
    const widen = async (permissions: readonly string[]) =>
      unwrap(
        await updateRoleSettings(flows.deps, {
          owner: await platform(),
          client,
          id: template.id,
          change: { permissions },
        }),
      );
    const stranger = await registerAccount(flows);
    await widen(["audit.read", "members.list"]);
    expect(await flows.newestEmail(owner.email, "role_template_widened")).toMatchObject({
      role_name: settings.name,
      added: "audit.read",
      link: expect.stringContaining(`/team/roles/${template.id}`),
    });
    const kindsTo = async (address: string) => (await flows.emailsTo(address)).map(({ mail }) => mail.kind);
    for (const { email: other } of [stranger, inviter]) {
      expect(await kindsTo(other)).not.toContain("role_template_widened");
    }
    const records = await flows.sql`
      select actor_id, organization_id, metadata from audit_logs
      where action = 'role.template_widened' and resource_id = ${template.id}`;
    expect([...records]).toEqual([
      {
        actor_id: administrator.userId,
        organization_id: organizationId,
        metadata: { key: settings.key, added: "audit.read" },
      },
    ]);
    const token = tokenIn(await flows.newestEmail(email, "invitation"));
    const accepting = { token, caller: undefined, password: PASSWORD, displayName: undefined, client };
    const accepted = unwrap(await acceptInvitation(flows.deps, accepting));
    if (accepted.kind !== "new_user") throw new Error("the address had an account");
    expect(await permissionsHeld(organizationId, accepted.signedIn.session.userId)).toEqual([]);
    // A narrower template is no news, and an organization without use receives nothing.
    await widen([]);
    await widen(["audit.read"]);
    expect((await kindsTo(owner.email)).filter((kind) => kind === "role_template_widened")).toHaveLength(1);
  });
});

describe("a directory", () => {
  /** A directory of the organization with a group. */
  async function directoryOf(organizationId: string) {
    const [directoryId, groupId] = [randomUUID(), randomUUID()];
    await flows.sql`
      insert into directories (id, organization_id, status, default_role, outside_domains, role_source, revision,
                               created_at, updated_at)
      values (${directoryId}, ${organizationId}, 'active', 'member', 'refuse', 'groups', 1, now(), now())`;
    await flows.sql`
      insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
      values (${groupId}, ${directoryId}, 'Leads', 'leads', 1, now(), now())`;
    return { directoryId, groupId };
  }

  test("No mapping of a group takes the role of a member with a permission that the editor lacks.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const editor = await memberOf(owner, [], "admin");
    const strong = await memberOf(owner, ["policies.manage"], "admin");
    const { directoryId, groupId } = await directoryOf(organizationId);
    const recordId = randomUUID();
    await flows.sql`update directory_groups set role = 'admin' where id = ${groupId}`;
    await flows.sql`
      insert into directory_users (id, directory_id, user_name, user_name_key, active, document, email_keys, user_id,
                                   link, version, created_at, updated_at)
      values (${recordId}, ${directoryId}, 'lead', 'lead', true, '{}', '{}', ${strong.userId}, 'member', 1, now(),
              now())`;
    await flows.sql`insert into directory_group_members (group_id, record_id) values (${groupId}, ${recordId})`;
    const mapBy = async (account: Account) => {
      const caller = await callerIn(organizationId, account, "directory.manage");
      return codeOf(await mapGroupRole(flows.deps, { caller, client, groupId, role: null }));
    };
    const roleOfMember = async () => {
      const [member] = await flows.sql`
        select role from members where organization_id = ${organizationId} and user_id = ${strong.userId}`;
      return member?.role;
    };
    expect([await mapBy(editor), await roleOfMember()]).toEqual(["forbidden", "admin"]);
    expect([await mapBy(owner), await roleOfMember()]).toEqual(["ok", "member"]);
  });

  test("An admin makes no directory key while a group of the directory grants more than the admin has.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const admin = await memberOf(owner, [], "admin");
    const strong = await roleIn(owner, ["policies.manage"]);
    const { groupId } = await directoryOf(organizationId);
    const scope = { organizationId, permission: "machines.manage" } as const;
    const createKey = async (account: Account) => {
      const session = await callerOf(flows, account.signedIn);
      const caller = unwrap(await authorizeServiceAccountAdmin(flows.deps, { session }, scope));
      const robot = unwrap(await createServiceAccount(flows.deps, { caller, name: "Directory", client }));
      const settings = {
        name: null,
        allowedIps: [],
        allowedReferrers: [],
        organizations: null,
        expiresInDays: undefined,
      };
      return await createApiKey(flows.deps, {
        ...settings,
        caller,
        accountId: robot.id,
        scopes: ["scim.write"],
        client,
      });
    };
    expect(codeOf(await createKey(admin))).toBe("ok");
    await flows.sql`insert into directory_group_roles (group_id, role_id) values (${groupId}, ${strong.id})`;
    expect(codeOf(await createKey(admin))).toBe("forbidden");
    expect(codeOf(await createKey(owner))).toBe("ok");
  });
});

/** A tested SAML connection with a verified domain, under a policy whose rules grant the roles. */
async function connectionOf({ organizationId, userId }: Account, roles: readonly string[], status: string) {
  const [id, at] = [randomUUID(), new Date(flows.clock.now())];
  const config = {
    ...DEFAULT_SAML_CONFIG,
    entity_id: "https://idp.acme.example",
    sso_url: "https://idp.acme.example/sso",
    sign_requests: false,
    certificates: [samlKeys.idp().certificate.trim()],
  };
  const rules = roles.map((role) => ({ from: "groups", value: role, role }));
  await flows.sql`
    insert into organization_domains (id, organization_id, domain, token, status, verified_at, warnings, created_at)
    values (${randomUUID()}, ${organizationId}, ${`${id}.test`}, 'token', 'verified', now(), 0, now())`;
  await flows.sql`
    insert into sso_connections (id, organization_id, protocol, name, preset, status, config, revision, tested_at,
                                 created_by, created_at, updated_at)
    values (${id}, ${organizationId}, 'saml', 'Acme ID', 'custom', ${status}, ${flows.sql.json(config as never)}, 1,
            ${at}, ${userId}, ${at}, ${at})`;
  await flows.sql`
    insert into sso_policies (organization_id, mode, guests, break_glass, jit, default_role, role_rules, sync,
                              require_own_factor, revision, updated_at)
    values (${organizationId}, 'optional', 'own_methods', '{}', 'on', 'member', ${flows.sql.json(rules)}, 'always',
            false, 1, now())`;
  return id;
}

describe("single sign-on", () => {
  for (const [title, role] of [
    ["the built-in role admin", "admin"],
    ["a custom role", "custom"],
  ] as const) {
    test(`No identity provider of a manager grants ${title} beyond the manager's permissions.`, async () => {
      const owner = await registerAccount(flows);
      const { organizationId } = owner;
      const manager = await memberOf(owner, ["sso.manage"]);
      const strong = await roleIn(owner, ["roles.manage"]);
      const connectionId = await connectionOf(owner, [role === "custom" ? strong.key : role], "draft");
      const activate = async (account: Account) =>
        await activateConnection(flows.deps, {
          caller: await callerIn(organizationId, account, "sso.manage"),
          connectionId,
          client,
        });
      const change = async (account: Account, config: SubmittedConfig) =>
        codeOf(
          await updateConnectionSettings(flows.deps, {
            caller: await callerIn(organizationId, account, "sso.manage"),
            connectionId,
            client,
            unlinkIdentities: true,
            settings: { config },
          }),
        );
      expect(codeOf(await activate(manager))).toBe("forbidden");
      expect(codeOf(await activate(owner))).toBe("ok");
      expect(await change(manager, { sso_url: "https://idp.manager.example/sso" })).toBe("forbidden");
      expect(await change(owner, { sso_url: "https://idp.acme.example/login" })).toBe("ok");
      // A user who writes the own nickname at the identity provider would be in every group.
      expect(await change(manager, { groups_from: "nickname" })).toBe("forbidden");
      expect(await change(manager, { attributes: [{ name: "team", from: "nickname" }] })).toBe("forbidden");
      expect(await change(manager, { display_name_from: "nickname" })).toBe("ok");
      expect(await change(owner, { groups_from: "nickname" })).toBe("ok");
    });
  }

  test("Rules within the manager's permissions let the manager activate.", async () => {
    const owner = await registerAccount(flows);
    const manager = await memberOf(owner, ["sso.manage", "audit.read"]);
    const weak = await roleIn(owner, ["audit.read"]);
    const connectionId = await connectionOf(owner, [weak.key, "member"], "draft");
    const caller = await callerIn(owner.organizationId, manager, "sso.manage");
    expect(codeOf(await activateConnection(flows.deps, { caller, connectionId, client }))).toBe("ok");
  });
});

describe("rules for single sign-on", () => {
  const RULES = [{ from: "groups", value: "staff", role: "admin" }];

  async function replaceRules(account: Account, organizationId: string, settings: Partial<PolicySettings>) {
    const caller = await callerIn(organizationId, account, "policies.manage");
    return await replacePolicy(flows.deps, { caller, settings: { ...DEFAULT_SSO_POLICY, ...settings }, client });
  }

  test("A manager of policies below admin changes no rule that makes or unmakes admins.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const manager = await memberOf(owner, ["policies.manage", "audit.read"]);
    const weak = await roleIn(owner, ["audit.read"]);
    const rules = [{ from: "groups", value: "readers", role: weak.key }];
    const replaceBy = async (account: Account, settings: Partial<PolicySettings>) =>
      codeOf(await replaceRules(account, organizationId, settings));
    expect(await replaceBy(manager, { roleRules: rules })).toBe("ok");
    // The first rule for a built-in role alone demotes every admin whose sign-in matches no rule.
    const first = [{ from: "groups", value: "staff", role: "member" }, ...rules];
    expect(await replaceBy(manager, { roleRules: first })).toBe("forbidden");
    expect(await replaceBy(owner, { roleRules: first, sync: "first" })).toBe("ok");
    expect(await replaceBy(manager, { roleRules: first, sync: "always" })).toBe("forbidden");
    expect(await replaceBy(owner, { roleRules: RULES })).toBe("ok");
    expect(await replaceBy(manager, { roleRules: [] })).toBe("forbidden");
    expect(await replaceBy(owner, { defaultRole: "admin" })).toBe("ok");
    expect(await replaceBy(manager, { defaultRole: "member" })).toBe("forbidden");
  });

  test("A manager below the default role opens the organization to no domain, and adds no domain later.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const manager = await memberOf(owner, ["policies.manage", "sso.manage"]);
    const claim = async (account: Account) => {
      const caller = await callerIn(organizationId, account, "sso.manage");
      return await claimDomain(flows.deps, { caller, domain: `${randomUUID()}.example.com`, client });
    };
    const claimBy = async (account: Account) => codeOf(await claim(account));
    unwrap(await replaceRules(owner, organizationId, { defaultRole: "admin" }));
    const openBy = async (account: Account, domainJoin: "ask" | "join", thirdPartyClients: "any" | "none" = "any") => {
      const caller = await callerIn(organizationId, account, "policies.manage");
      const settings = { ...DEFAULT_POLICY, domainJoin, thirdPartyClients };
      const change = { caller, settings, policiesAt: null, confirm: false, revision: undefined, client };
      return codeOf(await replacePolicies(flows.deps, change));
    };
    expect(await openBy(manager, "join")).toBe("forbidden");
    expect(await openBy(manager, "ask")).toBe("ok");
    const { id: domainId } = unwrap(await claim(manager));
    expect(await openBy(owner, "join")).toBe("ok");
    const caller = await callerIn(organizationId, manager, "sso.manage");
    expect(codeOf(await verifyDomain(flows.deps, { caller, domainId, client }))).toBe("forbidden");
    expect([await claimBy(manager), await claimBy(owner)]).toEqual(["forbidden", "ok"]);
    expect(await openBy(manager, "join", "none")).toBe("ok");
  });
});

describe("a decision that waits behind the withdrawal of the caller's power", () => {
  /** Callers whose requests were authorized as admin, and who are members with the permissions alone since. */
  async function demoted(permissions: readonly Permission[]) {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const admin = await memberOf(owner, permissions, "admin");
    const callerFor = (permission: Permission) => callerIn(organizationId, admin, permission);
    const demote = async () => {
      const caller = await callerIn(organizationId, owner, "members.role");
      unwrap(await changeRole(flows.deps, { caller, userId: admin.userId, role: "member", client }));
    };
    return { owner, organizationId, admin, callerFor, demote };
  }

  test("makes no API key with the lost power.", async () => {
    const { organizationId, admin, demote } = await demoted(["machines.manage"]);
    const scope = { organizationId, permission: "machines.manage" } as const;
    const session = await callerOf(flows, admin.signedIn);
    const caller = unwrap(await authorizeServiceAccountAdmin(flows.deps, { session }, scope));
    const robot = unwrap(await createServiceAccount(flows.deps, { caller, name: "Robot", client }));
    await demote();
    const settings = {
      name: null,
      allowedIps: [],
      allowedReferrers: [],
      organizations: null,
      expiresInDays: undefined,
    };
    const create = async (scopes: readonly ("audit.read" | "members.remove")[]) =>
      codeOf(await createApiKey(flows.deps, { ...settings, caller, accountId: robot.id, scopes, client }));
    expect([await create(["members.remove"]), await create(["audit.read"])]).toEqual(["forbidden", "forbidden"]);
    expect(await flows.sql`select 1 from api_keys where service_account_id = ${robot.id}`).toHaveLength(0);
  });

  test("maps no group of a directory to admins, makes no directory with admins by default.", async () => {
    const { organizationId, callerFor, demote } = await demoted(["directory.manage"]);
    const caller = await callerFor("directory.manage");
    await demote();
    const settings = {
      status: "active",
      defaultRole: "admin",
      outsideDomains: "refuse",
      roleSource: "groups",
    } as const;
    expect(codeOf(await putDirectory(flows.deps, { caller, client, settings }))).toBe("forbidden");
    const created = await putDirectory(flows.deps, {
      caller,
      client,
      settings: { ...settings, defaultRole: "member" },
    });
    const [groupId, role] = [randomUUID(), "admin"] as const;
    await flows.sql`
      insert into directory_groups (id, directory_id, display_name, display_name_key, version, created_at, updated_at)
      values (${groupId}, ${unwrap(created).id}, 'Leads', 'leads', 1, now(), now())`;
    expect(codeOf(await mapGroupRole(flows.deps, { caller, client, groupId, role }))).toBe("forbidden");
    // Nor does a manager below admin end the mapping of a group without members.
    await flows.sql`update directory_groups set role = 'admin' where id = ${groupId}`;
    expect(codeOf(await mapGroupRole(flows.deps, { caller, client, groupId, role: null }))).toBe("forbidden");
    expect(organizationId).toBe(caller.organizationId);
  });

  test("activates no identity provider with admins, and writes no such rule.", async () => {
    const { owner, organizationId, callerFor, demote } = await demoted(["sso.manage", "policies.manage"]);
    const [bySso, byPolicies] = [await callerFor("sso.manage"), await callerFor("policies.manage")];
    const connectionId = await connectionOf(owner, ["admin"], "draft");
    await demote();
    expect(codeOf(await activateConnection(flows.deps, { caller: bySso, connectionId, client }))).toBe("forbidden");
    const settings = { ...DEFAULT_SSO_POLICY, defaultRole: "admin" } as const;
    expect(codeOf(await replacePolicy(flows.deps, { caller: byPolicies, settings, client }))).toBe("forbidden");
    expect(organizationId).toBe(owner.organizationId);
  });

  test("admits no user of the domain as admin.", async () => {
    const { organizationId, owner, callerFor, demote } = await demoted(["members.invite"]);
    const caller = await callerFor("members.invite");
    const joiner = await registerAccount(flows);
    const [id, domain, at] = [randomUUID(), `${randomUUID()}.test`, new Date(flows.clock.now())];
    await flows.sql`
      insert into organization_domains (id, organization_id, domain, token, status, claimed_by, verified_at, warnings,
                                        created_at)
      values (${randomUUID()}, ${organizationId}, ${domain}, 'token', 'verified', ${owner.userId}, now(), 0, now())`;
    await flows.sql`
      update user_emails set email = ${`ada@${domain}`}, verified_at = now(), controlled_at = now()
      where user_id = ${joiner.userId}`;
    const policies = await callerIn(organizationId, owner, "policies.manage");
    const opened = { caller: policies, policiesAt: null, confirm: false, revision: undefined, client };
    unwrap(await replacePolicies(flows.deps, { ...opened, settings: { ...DEFAULT_POLICY, domainJoin: "ask" } }));
    const settings = { ...DEFAULT_SSO_POLICY, defaultRole: "admin" } as const;
    unwrap(await replacePolicy(flows.deps, { caller: policies, settings, client }));
    await flows.sql`
      insert into domain_join_requests (id, organization_id, user_id, domain, created_at, expires_at)
      values (${id}, ${organizationId}, ${joiner.userId}, ${domain}, ${at}, ${new Date(at.getTime() + 3_600_000)})`;
    await demote();
    expect(codeOf(await approveRequest(flows.deps, { caller, id, client }))).toBe("forbidden");
    const byOwner = await callerIn(organizationId, owner, "members.invite");
    expect(codeOf(await approveRequest(flows.deps, { caller: byOwner, id, client }))).toBe("ok");
  });
});

describe("two editors at once", () => {
  test("Of two editors with parallel removals of their roles, one succeeds.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const editors = [await memberOf(owner, ["roles.manage"]), await memberOf(owner, ["roles.manage"])] as const;
    const empty = async (editor: Account, id: string) => {
      const caller = await callerIn(organizationId, editor, "roles.manage");
      return () =>
        updateRoleSettings(flows.deps, {
          owner: { kind: "organization", caller },
          client,
          id,
          change: { permissions: [] },
        });
    };
    const [first, second] = editors;
    const edits = [await empty(first, second.role.id), await empty(second, first.role.id)];
    const outcomes = await Promise.all(edits.map((edit) => edit()));
    expect(outcomes.map(codeOf).sort()).toEqual(["forbidden", "ok"]);
  });

  test("A widening beside the withdrawal of the editor's permission leaves nothing without a grantor.", async () => {
    const owner = await registerAccount(flows);
    const { organizationId } = owner;
    const editor = await memberOf(owner, ["audit.read", "roles.manage"]);
    const target = await memberOf(owner, []);
    const [byEditor, byOwner] = [
      await callerIn(organizationId, editor, "roles.manage"),
      await callerIn(organizationId, owner, "roles.manage"),
    ];
    const [widened, withdrawn] = await Promise.all([
      updateRoleSettings(flows.deps, {
        owner: { kind: "organization", caller: byEditor },
        client,
        id: target.role.id,
        change: { permissions: ["audit.read"] },
      }),
      updateRoleSettings(flows.deps, {
        owner: { kind: "organization", caller: byOwner },
        client,
        id: editor.role.id,
        change: { permissions: ["roles.manage"] },
      }),
    ]);
    expect(codeOf(withdrawn)).toBe("ok");
    // Granted exactly if the editor came first and still had the permission.
    const expected = codeOf(widened) === "ok" ? ["audit.read"] : [];
    expect(await permissionsHeld(organizationId, target.userId)).toEqual(expected);
    const late = await updateRoleSettings(flows.deps, {
      owner: { kind: "organization", caller: byEditor },
      client,
      id: target.role.id,
      change: { permissions: ["audit.read", "audit.read"] },
    });
    expect(codeOf(late)).toBe("forbidden");
  });
});
