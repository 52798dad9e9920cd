import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

/** The numbers of users: no number is used twice. */
export const userNumbers = pgSequence("users_number_seq");

/** A user. `email` is stored normalised (trimmed, NFKC, lower case), so that one unique index covers all spellings. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    email: text().notNull().unique("users_email_key"),
    emailVerifiedAt: timestamp("email_verified_at", { withTimezone: true }),
    /**
     * Time of the first controlling proof (docs/contract.md, section 5.2). While null, the first proof revokes all
     * credentials from before the proof (docs/contract.md, section 5.3).
     */
    controlledAt: timestamp("controlled_at", { withTimezone: true }),
    /** Argon2id in PHC format, or an imported hash; null for a user without a password. */
    passwordHash: text("password_hash"),
    lastPasswordChange: timestamp("last_password_change", { withTimezone: true }),
    /** Password guesses from before count no longer: time of the last new password, or reset by an administrator. */
    guessesClearedAt: timestamp("guesses_cleared_at", { withTimezone: true }),
    displayName: text("display_name"),
    /** The hexadecimal hash that names the avatar's file (docs/contract.md, section 12.11). */
    avatarHash: text("avatar_hash"),
    /** Preferred language of emails, a language tag such as `de`; null: the language of the request. */
    locale: text(),
    /** IANA name of the time zone for times on pages and in emails; null: the zone of the browser, UTC in emails. */
    timeZone: text("time_zone"),
    /**
     * Incremented by every change of the user's credentials (password, second factor, disabling). An mfa_token
     * carries the value at its issue and is invalid after a change (docs/contract.md, section 3.5).
     */
    credentialsEpoch: integer("credentials_epoch").notNull().default(0),
    platformRole: text("platform_role", { enum: ["viewer", "admin", "owner"] }),
    disabledAt: timestamp("disabled_at", { withTimezone: true }),
    /** Time of the erasure while a deletion is pending. A trigger keeps the user disabled until the cancellation. */
    deletionAt: timestamp("deletion_at", { withTimezone: true }),
    lastLoginAt: timestamp("last_login_at", { withTimezone: true }),
    /** The organization of a sign-in without `organization_id` (docs/contract.md, section 7.2). */
    lastOrganizationId: uuid("last_organization_id"),
    /**
     * The organization that provisioned the user and may change name and address; null: the user manages both. No
     * foreign key, as above: an unknown organization manages no user.
     */
    managedBy: uuid("managed_by"),
    /** A positive number for applications that identify accounts by integers (docs/contract.md, section 23.34). */
    number: bigint({ mode: "number" }).default(sql`nextval('users_number_seq')`),
    /** The key of a program for the user (docs/contract.md, section 36.1), compared exactly; null: no key. */
    externalId: text("external_id"),
    /** Metadata that the user reads; null: an empty object. */
    publicMetadata: jsonb("public_metadata").$type<Readonly<Record<string, unknown>>>(),
    /** Metadata for administrators and programs of the platform alone; null: an empty object. */
    privateMetadata: jsonb("private_metadata").$type<Readonly<Record<string, unknown>>>(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex("users_number_key").on(table.number),
    uniqueIndex("users_external_id_key").on(table.externalId).where(sql`external_id is not null`),
    index("users_avatar_hash_idx").on(table.avatarHash).where(sql`avatar_hash is not null`),
    index("users_created_at_idx").on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // Filters and orders of the console's list: few users are disabled or hold a platform role.
    index("users_disabled_idx")
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`disabled_at is not null`),
    index("users_platform_role_idx").on(table.platformRole, table.createdAt).where(sql`platform_role is not null`),
    // The searches of the console; pg_trgm is an extension.
    index("users_search_idx").using("gin", sql`lower(email || ' ' || coalesce(display_name, '')) gin_trgm_ops`),
  ],
);
