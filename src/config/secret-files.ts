/** Secrets from files, as Docker, Compose and Kubernetes mount them: `SERVICE_JWT_SECRET_FILE=/run/secrets/jwt`. */
import { readFileSync } from "node:fs";
import type { Environment } from "./variables.ts";

/** Variables with a secret in the value, a password of a URL included. */
const SECRET_VARIABLES = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "REDIS_URL",
  "SERVICE_AUDIT_EXPORT_KEY",
  "SERVICE_CONFIG_KEY",
  "SERVICE_CONFIG_KEYS_PREVIOUS",
  "SERVICE_EMAIL_API_KEY",
  "SERVICE_JWT_SECRET",
  "SERVICE_MIGRATION_URL",
  "SERVICE_OAUTH_IDP_A_CLIENT_SECRET",
  "SERVICE_OAUTH_IDP_B_CLIENT_SECRET",
  "SERVICE_S3_URL",
  "SERVICE_SMTP_URL",
] as const;

const SUFFIX = "_FILE";

/**
 * Replaces every `<name>_FILE` of a secret by `<name>` with the content of the file. Returns a line for every error.
 */
export function readSecretFiles(environment: Environment): {
  readonly environment: Environment;
  readonly errors: readonly string[];
} {
  const complete: Record<string, string | undefined> = { ...environment };
  const errors: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const file = environment[name + SUFFIX]?.trim();
    delete complete[name + SUFFIX];
    if (!file) continue;
    if (environment[name]?.trim()) errors.push(`${name}: must not be set together with ${name}${SUFFIX}`);
    else complete[name] = contentOf(file, name, errors);
  }
  return { environment: complete, errors };
}

function contentOf(file: string, name: string, errors: string[]): string | undefined {
  try {
    const content = readFileSync(file, "utf8");
    // An empty file would count as an unset variable, and an unset DATABASE_URL starts an embedded database.
    if (content.trim() === "") errors.push(`${name}${SUFFIX}: must name a file with a value`);
    return content;
  } catch {
    errors.push(`${name}${SUFFIX}: must name a readable file`);
    return undefined;
  }
}
