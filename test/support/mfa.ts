import { generateSync } from "otplib";
import type postgres from "postgres";
import { Client, PASSWORD, registered, signedIn } from "./client.ts";
import type { Deployment } from "./deployment.ts";

/** Computes the code of an authenticator app at the present time, shifted by `stepsAway` time steps. */
export function codeOf(secret: string, stepsAway = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAway * 30 });
}

/** Returns a code that is wrong for the current step and for the two adjacent steps. */
export function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  let code = 0;
  while (right.has(String(code).padStart(6, "0"))) code += 1;
  return String(code).padStart(6, "0");
}

/** Deletes the record of the last used step: the current code counts as unused. */
export async function forgetUsedStep(sql: postgres.Sql, userId: string): Promise<void> {
  await sql`update totp_factors set last_step = null where user_id = ${userId}`;
}

/** Registers a user with an authenticator app, whose current code is unused. */
export async function enrolled(at: Pick<Deployment, "one" | "sql">, fields: Record<string, unknown> = {}) {
  return await withAuthenticator(at, await registered(at.one.url, fields));
}

/** Sets up an authenticator app for a user who is signed in. */
export async function withAuthenticator<Person extends { readonly client: Client; readonly userId: string }>(
  at: Pick<Deployment, "sql">,
  person: Person,
) {
  const setup = await person.client.post("/v1/auth/mfa/setup");
  const secret = String(setup.body.secret);
  const enabled = await person.client.post("/v1/auth/mfa/enable", { code: codeOf(secret) });
  if (enabled.status !== 200) throw new Error(`enabling answered ${enabled.status}: ${enabled.text}`);
  await forgetUsedStep(at.sql, person.userId);
  return { ...person, secret, recoveryCodes: enabled.body.recovery_codes as string[] };
}

/** Signs in with the password; returns the mfa_token. */
export async function passwordShown(url: string, email: string, password = PASSWORD): Promise<string> {
  const { answer } = await signedIn(url, email, password);
  if (answer.body?.status !== "mfa_required") throw new Error(`sign-in answered ${answer.status}: ${answer.text}`);
  return String(answer.body.mfa_token);
}

/**
 * Opens a second session of an enrolled user with the password in a trusted browser: aal1 despite a second factor, like
 * a thief of password and browser.
 */
export async function weakSession(url: string, person: { readonly client: Client; readonly email: string }) {
  const trusted = await person.client.post("/v1/auth/trusted-browsers");
  if (trusted.status !== 201) throw new Error(`trusting answered ${trusted.status}: ${trusted.text}`);
  const client = new Client(url);
  client.setCookie("service_trust", person.client.cookie("service_trust") ?? "", "/v1");
  const response = await client.post("/v1/auth/login", { email: person.email, password: PASSWORD });
  if (response.body?.status !== "success") throw new Error(`sign-in answered ${response.status}: ${response.text}`);
  return client;
}
