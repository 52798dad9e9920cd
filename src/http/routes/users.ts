import { ok } from "../../base/result.ts";
import type { StoreDeps } from "../../deps.ts";
import { authorizeProfile, readOwnProfile, readProfile, updateOwnProfile } from "../../flows/users/profile.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { meBody, userItemBody } from "../profile.ts";
import { reply } from "../reply.ts";
import { Me, UpdateMeBody, UserItem } from "../schemas/account.ts";

const tag = "Users";

/** docs/contract.md, sections 12.6 to 12.8. */
export function userRoutes(deps: StoreDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/users/me",
      operationId: "getMe",
      docs: { clientMethod: "me.get", section: "12.6" },
      tag,
      summary: "The caller's own account",
      auth: "own",
      session: { servesSession: "enrolment", servesUnverified: true, boundSession: "served" },
      responses: { 200: { description: "The account", schema: Me } },
      problems: [],
      async handle({ caller: { session } }) {
        const profile = await readOwnProfile(deps, session);
        return profile.ok ? ok(reply(200, meBody(deps.config, profile.value, session))) : profile;
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/users/me",
      operationId: "updateMe",
      docs: { clientMethod: "me.update", section: "12.7" },
      tag,
      summary: "Change the caller's own account",
      auth: "own",
      session: { servesSession: "enrolment" },
      input: { body: UpdateMeBody },
      responses: { 200: { description: "The updated account", schema: Me } },
      problems: [],
      async handle({ caller: { session }, body, client }) {
        const { display_name: displayName, locale, time_zone: timeZone } = body;
        const profile = await updateOwnProfile(deps, { caller: session, displayName, locale, timeZone, client });
        return profile.ok ? ok(reply(200, meBody(deps.config, profile.value, session))) : profile;
      },
    }),
    endpoint({
      method: "GET",
      path: "/users/:id",
      operationId: "getUser",
      docs: { clientMethod: "users.get", section: "12.8", access: "caller: the user itself, or platform viewer" },
      tag,
      summary: "Get a user: the caller itself, or any user for platform viewers",
      auth: "administrative",
      permission: "users.read",
      responses: { 200: { description: "The user", schema: UserItem } },
      problems: ["forbidden", "not_found", "mfa_required"],
      session: { servesWithout: "self" },
      authorize: (caller, params) => authorizeProfile(deps, caller, params.id),
      async handle({ authorized }) {
        const profile = await readProfile(deps, authorized);
        return profile.ok ? ok(reply(200, userItemBody(profile.value))) : profile;
      },
    }),
  ];
}
