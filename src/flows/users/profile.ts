import { NAME_RULE, normalizeName } from "../../base/display-name.ts";
import { invalidInput } from "../../base/invalid-input.ts";
import { NOT_SIGNED_IN, type Refusal, refusal } from "../../base/problem.ts";
import type { RequestContext } from "../../base/request-context.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { TIME_ZONE_RULE, timeZoneOf } from "../../base/time-zones.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { insertAudit } from "../../models/audit/audit.ts";
import type { SessionView } from "../../models/session/session.ts";
import { findProfile, type Profile, type ProfileValues, updateProfile } from "../../models/user/profile.ts";
import { isLanguageTag, LANGUAGE_TAG_RULE } from "../../vocabulary/languages.ts";
import { userAuditEvent } from "../steps/audit/audit-event.ts";
import {
  authorizePlatform,
  type PlatformRoleRefusal,
  type Principal,
} from "../steps/authorization/authorize-platform-role.ts";

/** GET /v1/users/me (docs/contract.md, section 12.6). */
export async function readOwnProfile(
  deps: Pick<Deps, "database">,
  caller: SessionView,
): Promise<Result<Profile, Refusal<"authentication_required">>> {
  const profile = await deps.database.run("user.find_profile", (sql) => findProfile(sql, caller.userId));
  if (!profile) return err(NOT_SIGNED_IN);
  return ok(caller.organizationBound ? visibleIn(profile, caller.organizationId) : profile);
}

/** The profile for a session that is bound to an organization: without other organizations, roles and credentials. */
function visibleIn(profile: Profile, organizationId: string): Profile {
  const organizations = profile.organizations.filter(({ id }) => id === organizationId);
  return { ...profile, organizations, platformRole: null, hasPassword: false, mfaEnabled: false };
}

declare const authorized: unique symbol;

/** The id of a user whose profile the caller may read. Only `authorizeProfile` returns this type. */
export interface ReadableUser {
  readonly [authorized]: true;
  readonly userId: string;
}

/**
 * Authorizes reading a profile: the user itself, a platform viewer, or a program of the platform. The problem is
 * `forbidden` whether or not the user exists, so the endpoint does not reveal the existence.
 */
export async function authorizeProfile(
  deps: StoreDeps,
  principal: Principal,
  userId: string,
): Promise<Result<ReadableUser, PlatformRoleRefusal>> {
  const isSelf = "session" in principal && userId === principal.session.userId;
  const viewer = isSelf ? ok(undefined) : await authorizePlatform(deps, principal, "users.read");
  return viewer.ok ? ok({ userId } as ReadableUser) : viewer;
}

/** GET /v1/users/:id (docs/contract.md, section 12.8). */
export async function readProfile(
  deps: Pick<Deps, "database">,
  { userId }: ReadableUser,
): Promise<Result<Profile, Refusal<"not_found">>> {
  const profile = await deps.database.run("user.find_profile", (sql) => findProfile(sql, userId));
  return profile ? ok(profile) : err(refusal("not_found", "There is no such user."));
}

/** A member that is undefined remains unchanged; null clears the value. */
export interface ProfileChange extends ProfileValues {
  readonly caller: SessionView;
  readonly client: RequestContext;
}

/** PATCH /v1/users/me (docs/contract.md, section 12.7). */
export async function updateOwnProfile(
  deps: StoreDeps,
  { caller, client, ...given }: ProfileChange,
): Promise<Result<Profile, Refusal<"authentication_required" | "invalid_input">>> {
  const validated = validateProfile(given);
  if (!validated.ok) return validated;
  const values = validated.value;
  const fields = changedFields(values);
  if (fields.length > 0) {
    const at = new Date(deps.clock.now());
    const entry = userAuditEvent(deps, caller, client, {
      action: "user.updated",
      at,
      metadata: { fields: fields.join(" ") },
    });
    await deps.database.run(
      "user.update_profile",
      (sql) => sql`
        with changed as (${updateProfile(sql, caller.userId, values, at)})
        ${insertAudit(sql, entry, sql`from changed`)}`,
    );
  }
  return await readOwnProfile(deps, caller);
}

/** Validates and normalizes the values; undefined and null stay. */
function validateProfile(given: ProfileValues): Result<ProfileValues, Refusal<"invalid_input">> {
  const { displayName, locale, timeZone } = given;
  const name = typeof displayName === "string" ? normalizeName(displayName) : displayName;
  if (typeof displayName === "string" && name === undefined)
    return err(invalidInput("display_name", "format", NAME_RULE));
  if (typeof locale === "string" && !isLanguageTag(locale))
    return err(invalidInput("locale", "format", LANGUAGE_TAG_RULE));
  const zone = typeof timeZone === "string" ? timeZoneOf(timeZone) : timeZone;
  if (typeof timeZone === "string" && zone === undefined)
    return err(invalidInput("time_zone", "format", TIME_ZONE_RULE));
  return ok({ displayName: name, locale: locale?.toLowerCase() ?? locale, timeZone: zone });
}

const WIRE_NAMES = { displayName: "display_name", locale: "locale", timeZone: "time_zone" } as const;

/** The members of a change by their names on the wire. */
function changedFields(values: ProfileValues): readonly string[] {
  const members = Object.keys(WIRE_NAMES) as (keyof typeof WIRE_NAMES)[];
  return members.filter((member) => values[member] !== undefined).map((member) => WIRE_NAMES[member]);
}
