/**
 * `npm run docs:privacy` generates the record of processing activities in docs/guides/privacy.md from
 * `db/personal-data.ts` and `db/schema`. `personal-data.test.ts` fails if the document is stale.
 */
import { join } from "node:path";
import { getTableConfig } from "drizzle-orm/pg-core";
import type { Erasure, PersonalTable, Retention } from "../db/personal-data/personal-table.ts";
import { PERSONAL_TABLES } from "../db/personal-data.ts";
import { TOMBSTONE_RETENTION_MS } from "../src/limits/credential-limits.ts";
import { DATA_EXPORT_LIFETIME_MS, ERASURE_TOMBSTONE_MS } from "../src/limits/deletion-limits.ts";
import { EMAIL_LIFETIME_MS } from "../src/limits/email-limits.ts";
import {
  API_KEY_RETENTION_MS,
  WEBHOOK_DELIVERY_LIFETIME_MS,
  WEBHOOK_DELIVERY_RETENTION_MS,
} from "../src/limits/machine-limits.ts";
import { OAUTH_REQUEST_KEPT_MS, OAUTH_REQUEST_LIFETIME_MS } from "../src/limits/oauth-limits.ts";
import { SESSION_RETENTION_MS } from "../src/limits/process-limits.ts";
import { MEMBER_REMOVAL_LIFETIME_MS } from "../src/limits/sso-limits.ts";
import { EMAIL_CHANGE_LIFETIME_MS, EMAIL_UNDO_LIFETIME_MS } from "../src/limits/user-email-limits.ts";
import { declaredTables } from "../test/support/declared-tables.ts";

export const PRIVACY_GUIDE = join(import.meta.dir, "../docs/guides/privacy.md");

const BEGIN = "<!-- generated: begin -->";
const END = "<!-- generated: end -->";

function period(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours <= 48) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${hours / 24} days`;
}

const RETENTIONS: Readonly<Record<Retention, string>> = {
  account: "until removed by the user, or the erasure",
  address_change: `${period(EMAIL_CHANGE_LIFETIME_MS)}; ${period(EMAIL_UNDO_LIFETIME_MS)} after the confirmation`,
  address_reservation: `${period(EMAIL_UNDO_LIFETIME_MS)} after the change`,
  api_key: `${period(API_KEY_RETENTION_MS)} after the end of the key`,
  application_session: "until the delivery, or the end of the tokens",
  audit: "`SERVICE_AUDIT_RETENTION_DAYS`; unset: without limit",
  authorization: `at most ${period(OAUTH_REQUEST_LIFETIME_MS)}`,
  authorization_request: [
    `parameters and user at most ${period(OAUTH_REQUEST_LIFETIME_MS)}`,
    `the rest at most ${period(OAUTH_REQUEST_LIFETIME_MS + OAUTH_REQUEST_KEPT_MS)}`,
  ].join(", "),
  copy: `${period(DATA_EXPORT_LIFETIME_MS)} after the completion`,
  credential: `${period(TOMBSTONE_RETENTION_MS)} after the removal or expiry`,
  decision: "`SERVICE_DECISION_LOG_DAYS`",
  delivery: `${period(WEBHOOK_DELIVERY_LIFETIME_MS + WEBHOOK_DELIVERY_RETENTION_MS)}`,
  email: `${period(EMAIL_LIFETIME_MS)}`,
  membership: "until the end of the membership",
  organization: "until removed by an administrator, or the erasure of the organization",
  pending_deletion: "until the cancellation or the erasure",
  removal: `${period(MEMBER_REMOVAL_LIFETIME_MS)} after the removal`,
  session: `\`SERVICE_SESSION_MAX_AGE_SECS\` after the sign-in, and ${period(SESSION_RETENTION_MS)}`,
  sign_in_attempt: "bounded number for each connection",
  single_use: "until the expiry, at most 24 hours",
  tombstone: `${period(ERASURE_TOMBSTONE_MS)} after the erasure`,
};

const ERASURES: Readonly<Record<Erasure, string>> = {
  deleted: "deleted",
  emptied: "column emptied",
  hash_remains: "id removed, keyed hashes remain",
  id_remains: "id remains",
  expires: "expires",
  unlinked: "id removed",
};

/** Types that can hold neither an address nor a name. */
const CLOSED_TYPE = /^(?:uuid|timestamp with time zone|boolean|integer|bigint|smallint|real|xid8)(?:\[\])?$/;

export interface SchemaTable {
  readonly name: string;
  /** Columns of text or bytes. */
  readonly open: readonly string[];
  /** Ids, times, numbers, states and closed sets. */
  readonly closed: readonly string[];
}

/** The tables of `db/schema`, in the order of names. */
export async function schemaTables(): Promise<readonly SchemaTable[]> {
  const tables = (await declaredTables()).map((table) => {
    const { name, columns } = getTableConfig(table);
    const isClosed = (column: (typeof columns)[number]) =>
      CLOSED_TYPE.test(column.getSQLType()) || (column.enumValues?.length ?? 0) > 0;
    const names = (closed: boolean) => columns.filter((column) => isClosed(column) === closed).map((each) => each.name);
    return { name, open: names(false), closed: names(true) };
  });
  return tables.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the guide with a current record of processing activities. */
export async function privacyGuide(guide: string): Promise<string> {
  const [before, rest] = split(guide, BEGIN);
  const [, after] = split(rest, END);
  const schema = new Map((await schemaTables()).map((table) => [table.name, table]));
  const rows = Object.entries(PERSONAL_TABLES).flatMap(([name, table]) =>
    rowsOf(name, table, schema.get(name)?.closed ?? []),
  );
  const head = ["| Column | Content | Purpose | Retention | Erasure | Copy |", "| --- | --- | --- | --- | --- | --- |"];
  return [before, BEGIN, "\n\n", [...head, ...rows].join("\n"), "\n\n", END, after].join("");
}

function split(text: string, marker: string): readonly [string, string] {
  const index = text.indexOf(marker);
  if (index < 0) throw new Error(`docs/guides/privacy.md lacks the line ${marker}`);
  return [text.slice(0, index), text.slice(index + marker.length)];
}

function rowsOf(name: string, table: PersonalTable, closed: readonly string[]): string[] {
  const { purpose, retention, erasure, copiedAs } = table;
  const rest = [purpose, RETENTIONS[retention], ERASURES[erasure], copiedAs ? `\`${copiedAs}\`` : "–"];
  const row = (column: string, content: string) => `| ${[`\`${name}${column}\``, content, ...rest].join(" | ")} |`;
  const rows = Object.entries(table.columns).map(([column, content]) => row(`.${column}`, content));
  return closed.length > 0 ? [...rows, row("", `ids, times and states (${closed.length} columns)`)] : rows;
}

if (import.meta.main) await Bun.write(PRIVACY_GUIDE, await privacyGuide(await Bun.file(PRIVACY_GUIDE).text()));
