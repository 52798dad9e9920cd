/** Checks of several variables together, and of unknown names. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { readVerifierKey } from "../../clients/js/src/audit/note.ts";
import { readDatabaseUrl } from "../base/database-url.ts";
import { parseRedisUrl } from "../base/redis-url.ts";
import { dotEnvWarnings } from "./dot-env.ts";
import type { WitnessSetting } from "./parsers.ts";
import { DEFAULT_EXPORT_KEY, type Environment, VARIABLES, type Values } from "./variables.ts";

/** Whether only this machine reaches a listener at this host. A name other than `localhost` counts as remote. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && ipaddr.process(host).range() === "loopback");
}

/** The errors that prevent a start, one line for each error. */
export function configErrors(environment: Environment, values: Values): string[] {
  const errors: string[] = [];
  if (values.DATABASE_URL) {
    for (const name of ["SERVICE_JWT_SECRET", "SERVICE_PUBLIC_BASE_URL"] as const) {
      if (isUnset(environment[name])) errors.push(`${name}: is required when DATABASE_URL is set`);
    }
  }
  for (const name of ["SERVICE_MIGRATION_URL", "DATABASE_READ_URL"] as const) {
    if (values[name] && !values.DATABASE_URL) errors.push(`${name}: needs DATABASE_URL`);
  }
  if (values.SERVICE_DATABASE_POOLER !== "none" && !values.DATABASE_URL) {
    errors.push("SERVICE_DATABASE_POOLER: needs DATABASE_URL");
  }
  if (8 * values.SERVICE_ARGON2_PARALLELISM > values.SERVICE_ARGON2_MEMORY_KIB) {
    errors.push("SERVICE_ARGON2_MEMORY_KIB: must be at least 8 per lane (RFC 9106, section 3.1)");
  }
  if (values.SERVICE_AUDIT_WITNESS_QUORUM > new Set(values.SERVICE_AUDIT_WITNESSES.map(witnessName)).size) {
    errors.push("SERVICE_AUDIT_WITNESS_QUORUM: must not be more than the witnesses of SERVICE_AUDIT_WITNESSES");
  }
  for (const idp of ["A", "B"] as const) {
    const [id, secret] = [`SERVICE_OAUTH_IDP_${idp}_CLIENT_ID`, `SERVICE_OAUTH_IDP_${idp}_CLIENT_SECRET`] as const;
    if ((values[id] === undefined) !== (values[secret] === undefined)) {
      errors.push(`${id}: must be set together with ${secret}`);
    }
  }
  if (values.SERVICE_PROCESSES > 1 && (!values.DATABASE_URL || !values.REDIS_URL || values.PORT === 0)) {
    errors.push("SERVICE_PROCESSES: more than one need DATABASE_URL, REDIS_URL and a PORT to share");
  }
  return [...errors, ...unknownLimits(environment)];
}

/** Cosignatures count by the name of the witness. */
function witnessName({ verifierKey }: WitnessSetting): string {
  return readVerifierKey(verifierKey).name;
}

/** An empty value, or a value of white space only, counts as unset, as for every variable. */
function isUnset(text: string | undefined): boolean {
  return !text?.trim();
}

/** An unknown limit, of another release or misspelled, would silently not apply: it prevents the start. */
function unknownLimits(environment: Environment): string[] {
  const known = Object.keys(VARIABLES).filter((name) => name.startsWith("SERVICE_RATE_LIMIT_"));
  return Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_RATE_LIMIT_") && !known.includes(name))
    .map((name) => `${name}: no such limit; there are ${known.join(", ")}`);
}

/** Warnings about a valid configuration for the operator, one line for each warning. */
export function configWarnings(environment: Environment, values: Values, publicBaseUrl: string): readonly string[] {
  return [
    ...unknownNames(environment),
    ...dotEnvWarnings(environment, (name) => name.replace(/_FILE$/, () => "") in VARIABLES),
    ...leftOutParameters(values),
    ...settingWarnings(values, publicBaseUrl),
  ];
}

function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_") && !(name in VARIABLES))
    .map((name) => `${name} is not known and has no effect`);
}

/** The parameters of server URLs that the service does not use, as hosters print them for other programs. */
function leftOutParameters(values: Values): string[] {
  const line = (name: string, leftOut: readonly string[]) =>
    leftOut.length === 0 ? [] : [`${name}: without effect: ${leftOut.map(nameOf).join(", ")} (docs/configuration.md)`];
  return [
    ...(["DATABASE_URL", "SERVICE_MIGRATION_URL", "DATABASE_READ_URL"] as const).flatMap((name) =>
      line(name, values[name] ? readDatabaseUrl(values[name]).leftOut : []),
    ),
    ...line("REDIS_URL", values.REDIS_URL ? parseRedisUrl(values.REDIS_URL).leftOut : []),
  ];
}

/** A key of another form may be a part of a password. */
function nameOf(parameter: string): string {
  return /^[A-Za-z][\w-]{0,63}$/.test(parameter) ? parameter : "a parameter without a name";
}

/** A finding that `doctor` examines itself and reports with a remedy. */
export const NO_REDIS = "REDIS_URL is unset: limits and revocations belong to this process, so run one replica only";
export const NO_MAIL =
  "no email provider is set: emails are dropped after a day in the outbox, unless an administrator sets one";

function settingWarnings(values: Values, publicBaseUrl: string): string[] {
  const external = values.DATABASE_URL !== undefined;
  const warnings: (string | false)[] = [
    !external &&
      !isLoopbackHost(values.HOST) &&
      `HOST is ${values.HOST} in embedded mode: other machines reach this service; /dev/mail is off`,
    external &&
      values.SERVICE_ADMIN_REQUIRE_MFA === false &&
      "SERVICE_ADMIN_REQUIRE_MFA is off: a password alone gives the platform roles",
    external && !values.REDIS_URL && NO_REDIS,
    external && !values.SERVICE_EMAIL_API_KEY && !values.SERVICE_SMTP_URL && NO_MAIL,
    external &&
      values.SERVICE_AUDIT_EXPORT_KEY === DEFAULT_EXPORT_KEY &&
      "SERVICE_AUDIT_EXPORT_KEY is unset: anyone can sign an audit export",
    values.NODE_ENV === "production" &&
      !values.SERVICE_REQUIRE_VERIFIED_EMAIL &&
      "SERVICE_REQUIRE_VERIFIED_EMAIL is off: accounts work before their address is verified",
    publicBaseUrl.startsWith("https:") &&
      values.SERVICE_COOKIES_SECURE === false &&
      "SERVICE_COOKIES_SECURE is false behind https: cookies can be sent in the clear",
    external &&
      /^http:\/\/(?!localhost[:/]|localhost$|127\.)/.test(publicBaseUrl) &&
      "SERVICE_PUBLIC_BASE_URL is not https: tokens are sent in the clear",
  ];
  return warnings.filter((warning) => warning !== false);
}
