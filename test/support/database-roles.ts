/** Creates the roles of ops/postgres/roles.sql on a database of the tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { grantReplicaPrivileges } from "../../db/privileges.ts";
import { freshDatabase, openSql } from "./services.ts";

const ROLES = readFileSync(join(import.meta.dir, "../../ops/postgres/roles.sql"), "utf8");
const PASSWORD = "a-password-of-the-tests";

export interface DatabaseRoles {
  /** The URLs of the administrator, of the role that owns the tables, and of the role of replicas. */
  readonly admin: string;
  readonly migration: string;
  readonly replica: string;
}

/** Creates an empty database and runs the role script of the kit. The helper fills in the passwords, as psql would. */
export async function databaseWithRoles(): Promise<DatabaseRoles> {
  const admin = await freshDatabase("empty");
  await createRoles(admin);
  return { admin, migration: as(admin, "identity_migration"), replica: as(admin, "identity_replica") };
}

async function createRoles(admin: string): Promise<void> {
  await openSql(admin).unsafe(ROLES.replace(/:'(?:migration|replica)_password'/g, `'${PASSWORD}'`));
}

const prepared = new Map<string, Promise<string>>();
/** Roles belong to the whole server, and PostgreSQL refuses two concurrent changes of a role. */
let last: Promise<unknown> = Promise.resolve();

/** Returns the URL of a migrated database for the role of replicas. The first call grants the privileges. */
export function asReplicaRole(admin: string): Promise<string> {
  const known = prepared.get(admin);
  if (known) return known;
  const preparing = last.then(async () => {
    await createRoles(admin);
    await grantReplicaPrivileges(openSql(admin), { name: "identity_replica", auditRetentionMs: 0 });
    return as(admin, "identity_replica");
  });
  last = preparing.catch(() => undefined);
  prepared.set(admin, preparing);
  return preparing;
}

function as(admin: string, role: string): string {
  const url = new URL(admin);
  [url.username, url.password] = [role, PASSWORD];
  return url.href;
}
