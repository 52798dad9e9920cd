import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sql } from "../../database/database.ts";
import type { Deps } from "../../deps.ts";
import { insertAudit, recordAudit } from "../../models/audit/audit.ts";
import { insertOrganization } from "../../models/organization/organization.ts";
import { insertImportedUsers, organizationsBySlug } from "../../models/user-import/user-import.ts";
import type { MemberRole } from "../../vocabulary/member-power.ts";
import { systemAuditEvent } from "../steps/audit/system-audit-event.ts";
import { hashPassword } from "../steps/sign-in/verify-password.ts";
import { setRole } from "./set-role.ts";

export type SeedDeps = Pick<Deps, "config" | "clock" | "random" | "database" | "hashing">;

/** Published in the documentation: accounts with this password must not exist in production. */
export const DEMO_PASSWORD = "correct horse battery staple";

const DEMO_ORGANIZATIONS = [
  { slug: "acme-demo", name: "Acme (demo)", tier: "enterprise", domain: "acme.example" },
  { slug: "globex-demo", name: "Globex (demo)", tier: "standard", domain: "globex.example" },
] as const;
const DEMO_ROLES: readonly MemberRole[] = ["owner", "admin", "member"];
/** A member of the first organization. The domains of all demo users are reserved (RFC 2606). */
const PLATFORM_OWNER_EMAIL = "platform@acme.example";

export interface DemoUser {
  readonly email: string;
  readonly organizationSlug: string;
  readonly role: MemberRole;
  readonly platformOwner: boolean;
}

export interface SeedOutcome {
  readonly users: readonly DemoUser[];
  /** The number of inserted users; existing users are unchanged. */
  readonly inserted: number;
}

/**
 * Command `seed`: two organizations with a user of each role, and a platform owner. Idempotent: existing organizations
 * and users are unchanged, except the platform owner, whose role is granted again.
 */
export async function seedDemo(
  deps: SeedDeps,
): Promise<Result<SeedOutcome, Refusal<"conflict" | "invalid_input" | "not_found" | "rate_limited">>> {
  const users = demoUsers();
  const hash = await hashPassword(deps, DEMO_PASSWORD, "seed");
  if (!hash.ok) return hash;
  const inserted = await deps.database.transaction("seed.insert", async (sql) => {
    const organizations = await ensureOrganizations(deps, sql);
    return await insertUsers(deps, sql, users, organizations, hash.value);
  });
  const owner = { email: PLATFORM_OWNER_EMAIL, role: "owner", controlledOnly: false, source: "command" } as const;
  const granted = await setRole(deps, owner);
  return granted.ok ? ok({ users, inserted }) : err(granted.error);
}

function demoUsers(): DemoUser[] {
  const members = DEMO_ORGANIZATIONS.flatMap(({ slug, domain }) =>
    DEMO_ROLES.map((role) => ({ email: `${role}@${domain}`, organizationSlug: slug, role, platformOwner: false })),
  );
  const organizationSlug = DEMO_ORGANIZATIONS[0].slug;
  return [...members, { email: PLATFORM_OWNER_EMAIL, organizationSlug, role: "member", platformOwner: true }];
}

/** Returns the ids by slug. */
async function ensureOrganizations(deps: SeedDeps, sql: Sql): Promise<ReadonlyMap<string, string>> {
  const slugs = DEMO_ORGANIZATIONS.map(({ slug }) => slug);
  const ids = new Map(await organizationsBySlug(sql, slugs));
  const at = new Date(deps.clock.now());
  for (const { slug, name, tier } of DEMO_ORGANIZATIONS.filter((each) => !ids.has(each.slug))) {
    const id = deps.random.uuid();
    const event = systemAuditEvent(deps, {
      action: "organization.created",
      at,
      organizationId: id,
      resource: { type: "organization", id },
      metadata: { tier },
    });
    await sql`
      with organization as (${insertOrganization(sql, { id, name, slug, tier, at })})
      ${insertAudit(sql, event, sql`from organization`)}`;
    ids.set(slug, id);
  }
  return ids;
}

/** Inserts the missing users, with a verified address and the demo password; returns how many. */
async function insertUsers(
  deps: SeedDeps,
  sql: Sql,
  users: readonly DemoUser[],
  organizations: ReadonlyMap<string, string>,
  passwordHash: string,
): Promise<number> {
  const at = new Date(deps.clock.now());
  const rows = users.map(({ email, organizationSlug, role }) => ({
    userId: deps.random.uuid(),
    organizationId: organizations.get(organizationSlug) ?? "",
    ownOrganization: null,
    email,
    passwordHash,
    displayName: null,
    emailVerified: true,
    locale: null,
    disabled: false,
    organizationSlug,
    role,
    unknown: [],
    leftOut: [],
  }));
  const { size } = await insertImportedUsers(sql, rows, deps.config.defaultTier, at);
  if (size === 0) return 0;
  const resource = { type: "user_import", id: "seed" } as const;
  const event = { action: "users.imported", at, resource, metadata: { imported: size } } as const;
  await recordAudit(sql, systemAuditEvent(deps, event));
  return size;
}
