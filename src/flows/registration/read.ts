import { invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  isRegistrationOpen,
  type RegisteringApplication,
  type RegistrationSettings,
} from "../../vocabulary/registration.ts";
import { listSignInProviders } from "../social-sign-in/start.ts";

export type RegistrationReadDeps = Pick<Deps, "config" | "identityProviders" | "oauthClients" | "registration">;

const NO_SUCH_CLIENT = invalidInput("client_id", "unknown_value", "no application has this id");

/** The application that a request names, if any; 400 for an unknown or disabled application. */
export function applicationOf(
  { oauthClients }: Pick<RegistrationReadDeps, "oauthClients">,
  clientId: string | undefined,
): Result<RegisteringApplication | undefined, Refusal<"invalid_input">> {
  if (clientId === undefined) return ok(undefined);
  const client = oauthClients.find(clientId);
  return client ? ok({ id: client.id, registration: client.registration }) : err(NO_SUCH_CLIENT);
}

/** How users register, for front ends. */
export interface PublicRegistration extends Pick<RegistrationSettings, "link" | "methods" | "mode"> {
  /** The providers by which users register or sign in. */
  readonly providers: readonly { readonly provider: string; readonly name: string }[];
}

/** GET /v1/auth/registration (docs/contract.md, section 37.1). No list of domains is in the response. */
export function describeRegistration(
  deps: RegistrationReadDeps,
  clientId: string | undefined,
): Result<PublicRegistration, Refusal<"invalid_input">> {
  const application = applicationOf(deps, clientId);
  if (!application.ok) return application;
  const settings = deps.registration.settings(application.value?.registration);
  const { mode, methods, link } = settings;
  const open = methods.filter(
    (method) => isRegistrationOpen(settings, method) && (method !== "social" || deps.config.socialSignup),
  );
  const providers = listSignInProviders(deps).map((provider) => ({
    provider,
    name: deps.identityProviders.name(provider),
  }));
  return ok({ mode, methods: open, link, providers });
}

/** Whether a registration by password names an organization. `clientId`: as the request has the member. */
export function needsOrganizationName(deps: RegistrationReadDeps, clientId: unknown): boolean {
  const application = applicationOf(deps, typeof clientId === "string" ? clientId : undefined);
  return application.ok && deps.registration.settings(application.value?.registration).mode === "organization";
}
