/**
 * Every table and every kind of token that can authenticate a request is in `CREDENTIAL_KINDS`, with a removal and with
 * a test of a controlling proof, or in a list below with the reason why a proof does not remove the credential.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, isTable } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { CredentialKind } from "../../src/flows/steps/credentials/credential-kind.ts";
import { CREDENTIAL_KINDS, type CredentialKindName } from "../../src/flows/steps/credentials/credential-kinds.ts";
import { RECENT_KINDS } from "../../src/models/credential-review/recent-credentials.ts";
import { TOKEN_KINDS } from "../../src/models/token/claims.ts";
import { PROVIDER_TOKEN_TYPES } from "../../src/models/token/compact.ts";
import { WAYS } from "../support/squatter.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCHEMA = join(ROOT, "db/schema");
const TEST_FILES = [
  "test/http/control.test.ts",
  "test/http/control-access.test.ts",
  "test/http/address-takeover.test.ts",
];

/** Tables that authenticate no request of a user. */
const AUTHENTICATES_NOTHING: Readonly<Record<string, string>> = {
  address_attempts: "counters of wrong codes of addresses without an account",
  avatars: "pictures, named by their hashes",
  brands: "looks and links of organizations and applications",
  credential_reviews: "what a user reviews after a reset; the mailed link ends credentials and opens no session",
  credential_review_links: "links of the review after a reset, which end credentials and open no session",
  data_export_parts: "sealed copies of a user's data, readable in a session of the user",
  data_exports: "requests for copies of a user's data",
  deletions: "pending deletions; the mailed link cancels a deletion and opens no session",
  deletion_tokens: "links of pending deletions; a link cancels a deletion and opens no session",
  domain_join_requests: "requests for a membership; a member decides, and a request opens no session",
  directory_users: "records of members by their organization; no key, and no way to sign in",
  email_log: "counters of emails by hashed addresses",
  failed_attempts: "counters of wrong codes",
  federation_uses: "assertions of workloads that were exchanged; a row only refuses",
  member_group_members: "members of groups; a request must be authenticated otherwise",
  member_removals: "ended memberships; a row only refuses",
  oauth_resources: "settings of APIs, with the lifetime of tokens",
  organization_applications: "decisions about applications; a request must be authenticated otherwise",
  member_roles: "additional roles; a request must be authenticated otherwise",
  members: "roles; a request must be authenticated otherwise",
  oauth_assertions: "assertions that clients used up; a row only refuses",
  oauth_client_secrets: "authenticate an application, which platform administrators register, and no user",
  oauth_clients: "public keys of applications, which platform administrators register",
  oauth_device_codes: "devices that wait; a decision needs a live session, and an approval is a row of `oauth_codes`",
  oauth_registration_tokens: "permit registrations of applications, which never act for a user by themselves",
  oauth_states: "a social sign-in under way names no user; a link under way needs the live session that began the link",
  organization_factors: "second factors after single sign-on to one organization; no way to sign in",
  organization_domains: "tokens that a DNS record displays to everyone; a token gives no access",
  outbox: "sealed emails; what their links and codes refer to is in the tables of those",
  provider_configs: "secrets of this service at providers",
  social_providers: "secrets of this service at providers",
  released_slugs: "hashes of names that organizations gave up; a row only refuses",
  request_decisions: "explanations of refused requests",
  service_accounts: "names; the keys authenticate",
  session_departures: "organizations that sessions left",
  session_events: "the log of ended sessions",
  sign_in_notices: "links that end access and give none",
  signing_keys: "keys of this service",
  sso_attempts: "reports of sign-ins for administrators",
  sso_connections: "secrets of this service at identity providers of organizations",
  sso_consumed: "hashes of consumed messages of identity providers; a row only refuses",
  sso_outcomes: "verified responses that wait for the live session of the browser",
  sso_requests: "requests to identity providers; a response needs the signature of the identity provider",
  sso_service_keys: "keys of this service at identity providers of organizations",
  sso_tests: "tests of connections, for the live session of the administrator; a test opens no session",
  transparency_keys: "keys of this service for checkpoints",
  transparency_log: "hashes of audit records",
  transparency_tiles: "hashes of audit records",
  unlinked_identities: "keyed hashes of identities that the user unlinked; a row only refuses",
};

/** Signed tokens that authenticate no request to this service. */
const TOKENS_FOR_OTHERS: Readonly<Record<string, string>> = {
  logout: "sent to applications (OpenID Connect Back-Channel Logout 1.0)",
  event: "sent to receivers of security events (RFC 8417)",
  authorization_response: "sent to applications (JARM)",
};

/** Kinds without an access method in `WAYS`, and the title of the test that proves the removal. */
const TESTED_BY_TITLE: Partial<Record<CredentialKindName, string>> = {
  second_factor: "by password reset: the second factor of an address that was never verified ends too",
  oauth_requests: "voids an issued code and a pending request, and prompt=none asks the owner for consent",
  address_changes: "of a squatter loses the requested correction with the first proof of the mailbox",
  email_codes: "voids an mfa_token, a reset link and an emailed code that were issued before",
  mailed_links: "voids an mfa_token, a reset link and an emailed code that were issued before",
  unfinished_sign_ins: "voids an mfa_token, a reset link and an emailed code that were issued before",
};

const REVIEW_TEST = "test/http/credential-review.test.ts";
const HELD = [REVIEW_TEST, "holds passkeys, addresses and providers of less than seven days"] as const;
/** The test of a refused sign-in with a held credential, for every kind of credential: file and title of the test. */
const HELD_KINDS_TESTED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  passkeys: HELD,
  address_changes: HELD,
  identities: HELD,
  company_accounts: [
    "test/http/sso-links.test.ts",
    "link_required: a link that awaits a confirmation after a reset signs nobody in",
  ],
};

const kinds = Object.entries<CredentialKind>(CREDENTIAL_KINDS);
const OWNERS = ["users", "sessions", "service_accounts", "api_keys", "oauth_grants"];
const OWNER_COLUMNS = new Set(["user_id", "session_id", "service_account_id", "created_by", "invited_by"]);
const SECRET_COLUMN = /hash|secret|token|code|sealed|jti|challenge|password|public_key|private_key|jwks|verifier/;

async function tables(): Promise<readonly PgTable[]> {
  const modules = await Promise.all(readdirSync(SCHEMA).map((name) => import(join(SCHEMA, name))));
  return modules.flatMap((module) => Object.values(module).filter((each): each is PgTable => isTable(each)));
}

/** Returns true if rows refer to a user, a session or an account, or contain a value that a request could present. */
function mayAuthenticate(table: PgTable): boolean {
  const { columns, foreignKeys } = getTableConfig(table);
  const refersToOwner = foreignKeys.some((key) => OWNERS.includes(getTableName(key.reference().foreignTable)));
  return refersToOwner || columns.some(({ name }) => OWNER_COLUMNS.has(name) || SECRET_COLUMN.test(name));
}

describe("CREDENTIAL_KINDS", () => {
  test("has every table that can authenticate a request, or a reason stands for its absence", async () => {
    const all = await tables();
    const suspects = all.filter(mayAuthenticate).map((table) => getTableName(table));
    const [ended, excepted] = [kinds.flatMap(([, { tables: names }]) => names), Object.keys(AUTHENTICATES_NOTHING)];
    expect(suspects.filter((name) => !ended.includes(name) && !excepted.includes(name))).toEqual([]);
    expect(excepted.filter((name) => !suspects.includes(name) || ended.includes(name))).toEqual([]);
    const existing = all.map((table) => getTableName(table));
    expect(ended.filter((name) => !existing.includes(name))).toEqual([]);
  });

  test("lists after a reset exactly the kinds outlasting a reset (G291)", () => {
    const remaining = kinds.filter(([, { afterReset }]) => afterReset !== "ended").map(([name]) => name);
    expect(remaining.sort()).toEqual([...RECENT_KINDS].sort());
  });

  test("has a test of a reset by a second address for each kind held by a reset (G290)", () => {
    const held = kinds.filter(([, { afterReset }]) => afterReset === "held").map(([name]) => name);
    expect(held.sort()).toEqual(Object.keys(HELD_KINDS_TESTED).sort());
    for (const [file, title] of Object.values(HELD_KINDS_TESTED)) {
      expect(readFileSync(join(ROOT, file), "utf8")).toContain(`test("${title}`);
    }
  });

  test("has every kind of signed token, or a reason stands for its absence", () => {
    const issued = [...TOKEN_KINDS, ...Object.keys(PROVIDER_TOKEN_TYPES)].sort();
    const listed = [...kinds.flatMap(([, { tokens }]) => tokens), ...Object.keys(TOKENS_FOR_OTHERS)].sort();
    expect(listed).toEqual(issued);
  });

  test("has a test of a controlling proof over HTTP for each kind", () => {
    const source = TEST_FILES.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
    expect(source).toContain("await openWays(social, squatter)).toEqual([])");
    const untested = kinds.filter(([name]) => {
      const title = TESTED_BY_TITLE[name as CredentialKindName];
      return !(name in WAYS) && !(title && source.includes(`test("${title}"`));
    });
    expect(untested.map(([name]) => name)).toEqual([]);
  });
});
