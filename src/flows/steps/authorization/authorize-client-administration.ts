import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { KeyView } from "../../../models/service-account/api-key.ts";
import { byRule } from "../../../vocabulary/program-rules.ts";
import type { Actor } from "../audit/audit-event.ts";
import { programActor } from "../audit/program-actor.ts";
import {
  authorizePlatformRole,
  LIMITED_REACH,
  type PlatformCaller,
  type Principal,
} from "./authorize-platform-role.ts";
import { authorizeSteppedUpAdmin } from "./authorize-stepped-up-admin.ts";
import { authorized } from "./authorized.ts";

const NOT_OF_THE_PLATFORM = byRule(
  "reach",
  refusal("forbidden", "This needs an API key of a service account of the platform."),
);

declare const mark: unique symbol;

/** An API key of the platform with the scope of the endpoint. Only this file constructs a key administrator. */
export interface KeyAdministrator {
  readonly [mark]: true;
  readonly kind: "key";
  readonly actor: Actor;
}

/** The operator at the command line, who has access to the database. */
export interface CommandAdministrator {
  readonly kind: "command";
}

export const COMMAND_ADMINISTRATOR: CommandAdministrator = { kind: "command" };

/** A caller authorized to change the clients of the OpenID provider. */
export type ClientAdministrator = PlatformCaller | KeyAdministrator | CommandAdministrator;

/** A caller authorized to read the clients of the OpenID provider. */
export type ClientReader = ClientAdministrator;

type AuthorizedReader = Result<PlatformCaller | KeyAdministrator, Refusal<"forbidden" | "mfa_required">>;

/** Authorizes reads: a platform Viewer or higher, or a key of the platform. */
export async function authorizeClientReader(deps: StoreDeps, principal: Principal): Promise<AuthorizedReader> {
  return "key" in principal
    ? keyAdministrator(principal.key)
    : await authorizePlatformRole(deps, principal.session, "viewer");
}

/**
 * Authorizes changes: a platform Admin or higher with a step-up, or a key of the platform. A key has no second factor:
 * the user who created the key presented one (docs/contract.md, section 25.3).
 */
export async function authorizeClientAdministrator(deps: StoreDeps, principal: Principal): Promise<AuthorizedReader> {
  return "key" in principal ? keyAdministrator(principal.key) : await authorizeSteppedUpAdmin(deps, principal.session);
}

function keyAdministrator(key: KeyView): Result<KeyAdministrator, Refusal<"forbidden">> {
  if (key.organizationId !== null) return err(NOT_OF_THE_PLATFORM);
  if (key.organizations !== null) return err(LIMITED_REACH);
  return ok(authorized<KeyAdministrator>({ kind: "key", actor: programActor(key) }));
}

/**
 * Whether the caller may register and change first-party clients. A first-party client receives the tokens of each
 * signed-in user without consent, so a leaked key with a redirect URI of such a client would sign in as any user.
 */
export function mayChangeFirstParty(caller: ClientAdministrator): boolean {
  return !("kind" in caller && caller.kind === "key");
}

export function isCommand(caller: ClientAdministrator): caller is CommandAdministrator {
  return "kind" in caller && caller.kind === "command";
}
