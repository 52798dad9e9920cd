import { ok } from "../../base/result.ts";
import type { Deps } from "../../deps.ts";
import {
  type RegistrationDeps,
  type RegistrationNow,
  readRegistration,
  replaceRegistration,
} from "../../flows/registration/administer.ts";
import { describeRegistration, type RegistrationReadDeps } from "../../flows/registration/read.ts";
import { authorizePlatform } from "../../flows/steps/authorization/authorize-platform-role.ts";
import { authorizeSteppedUpPlatform } from "../../flows/steps/authorization/authorize-stepped-up-admin.ts";
import { REGISTRATION_CACHE_SECONDS } from "../../limits/registration-limits.ts";
import type { StoredRegistration } from "../../vocabulary/registration.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { reply } from "../reply.ts";
import {
  PublicRegistration,
  RegistrationItem,
  RegistrationQuery,
  ReplaceRegistrationBody,
} from "../schemas/registration.ts";

export type RegistrationRouteDeps = RegistrationDeps & RegistrationReadDeps & Pick<Deps, "registration">;

const tag = "Registration";
const PATH = "/admin/registration";

/** docs/contract.md, section 37.1. */
export function registrationSettingsRoutes(deps: RegistrationRouteDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/auth/registration",
      operationId: "describeRegistration",
      docs: { clientMethod: "registration.describe", section: "37.1" },
      tag,
      summary: "How users register",
      description: "For front ends. An application may have a mode of its own.",
      auth: "none",
      limits: { address: "public_reads" },
      input: { query: RegistrationQuery },
      responses: {
        200: { description: "Mode, methods and providers", schema: PublicRegistration, headers: ["Cache-Control"] },
      },
      problems: [],
      handle({ query }) {
        const described = describeRegistration(deps, query.client_id);
        if (!described.ok) return described;
        const { mode, methods, link, providers } = described.value;
        const headers = { "cache-control": `public, max-age=${REGISTRATION_CACHE_SECONDS}` };
        return ok(reply(200, { mode, methods: [...methods], link, providers: [...providers] }, { headers }));
      },
    }),
    endpoint({
      method: "GET",
      path: PATH,
      operationId: "getRegistration",
      docs: { clientMethod: "admin.registration.get", section: "37.1" },
      tag,
      summary: "Get the registration settings",
      auth: "administrative",
      permission: "configuration.read",
      responses: { 200: { description: "The settings in force", schema: RegistrationItem } },
      problems: ["forbidden", "mfa_required"],
      authorize: (caller, _, permission) => authorizePlatform(deps, caller, permission),
      async handle({ authorized: caller }) {
        const found = await readRegistration(deps, caller);
        return found.ok ? ok(reply(200, registrationBody(found.value))) : found;
      },
    }),
    endpoint({
      method: "PUT",
      path: PATH,
      operationId: "replaceRegistration",
      docs: { clientMethod: "admin.registration.replace", section: "37.1" },
      stepUp: "grants_power",
      tag,
      summary: "Replace the registration settings",
      description: "Absent members have the defaults of the mode. In use on every replica within about a second.",
      auth: "administrative",
      permission: "configuration.write",
      input: { body: ReplaceRegistrationBody },
      responses: { 200: { description: "The settings in force", schema: RegistrationItem } },
      problems: ["forbidden", "mfa_required", "conflict"],
      authorize: (caller, _, permission) => authorizeSteppedUpPlatform(deps, caller, permission),
      async handle({ authorized: caller, body, client }) {
        const { revision } = body;
        const replaced = await replaceRegistration(deps, { caller, settings: settingsOf(body), revision, client });
        return replaced.ok ? ok(reply(200, registrationBody(replaced.value))) : replaced;
      },
    }),
  ];
}

interface SubmittedRegistration extends Pick<StoredRegistration, "link" | "methods" | "mode"> {
  readonly allowed_domains?: readonly string[];
  readonly blocked_domains?: readonly string[];
}

function settingsOf(body: SubmittedRegistration): StoredRegistration {
  const { mode, methods, link, allowed_domains: allowedDomains, blocked_domains: blockedDomains } = body;
  return {
    mode,
    ...(methods && { methods }),
    ...(allowedDomains && { allowedDomains }),
    ...(blockedDomains && { blockedDomains }),
    ...(link === undefined ? {} : { link }),
  };
}

function registrationBody({
  mode,
  methods,
  allowedDomains,
  blockedDomains,
  link,
  revision,
  updatedAt,
}: RegistrationNow) {
  return {
    mode,
    methods: [...methods],
    allowed_domains: [...allowedDomains],
    blocked_domains: [...blockedDomains],
    link,
    revision,
    updated_at: updatedAt?.toISOString() ?? null,
    stored: revision > 0,
  };
}
