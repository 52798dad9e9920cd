import type { SignInDeps } from "../../deps.ts";
import { SIGN_UP_LIFETIME_MS } from "../../limits/registration-limits.ts";
import { type EmailContent, insertEmail } from "../../models/email/email.ts";
import { hashSignUpCode, hashSignUpNetwork, type NewSignUp, replaceSignUp } from "../../models/sign-up/sign-up.ts";
import { emailIsTaken } from "../../models/user/user-address.ts";
import { isDomainRefused, isRegistrationOpen } from "../../vocabulary/registration.ts";
import { composeEmail } from "../steps/email/compose-email.ts";
import { makeIssuedCode, type RequestInput } from "./issued-code.ts";

/**
 * Emails a code to sign up to an address without an account, and stores the pending sign-up in the statement of the
 * email. Only the mailbox learns that no account exists. An address of a refused domain gets an email with the
 * reason; no email is sent where registration is closed, and to an address that is reserved for its former user.
 */
export async function issueSignUp(deps: SignInDeps, input: RequestInput, email: string, at: Date): Promise<void> {
  const { application, redirectTo = null, client } = input;
  const settings = deps.registration.settings(application?.registration);
  if (!isRegistrationOpen(settings, "email_code")) return;
  if (isDomainRefused(settings, email)) {
    const link = `${deps.config.urls.publicBaseUrl}/sign-in`;
    const mail = emailTo(deps, input, email, { kind: "sign_up_refused", values: { link } }, at);
    return void (await deps.database.run("sign_up.refuse", (sql) => sql`${insertEmail(sql, mail)}`));
  }
  const isReserved = await deps.database.run("user.email_is_taken", (sql) => emailIsTaken(sql, email, at));
  if (isReserved) return;
  const id = deps.random.uuid();
  const { code, linkHash, browserHash, values } = makeIssuedCode(deps, input);
  const signUp: NewSignUp = {
    id,
    email,
    codeHash: hashSignUpCode(deps.codeKey, id, code),
    linkHash,
    browserHash,
    clientId: application?.id ?? null,
    redirectTo,
    identitySealed: null,
    networkHash: hashSignUpNetwork(deps.addressKey, client.network),
    at,
    expiresAt: new Date(at.getTime() + SIGN_UP_LIFETIME_MS),
  };
  const mail = emailTo(deps, input, email, { kind: "sign_up_code", values }, at);
  const [issued] = await deps.database.run(
    "sign_up.issue",
    (sql) => sql<{ queued: boolean }[]>`
      with email as (${insertEmail(sql, mail)} returning id),
      issued as (${replaceSignUp(sql, signUp, sql`from email`)})
      select exists (select 1 from email) as queued`,
  );
  if (!issued?.queued) deps.telemetry.metrics.boundRefused("limit_mail");
}

function emailTo(deps: SignInDeps, { tenants, client }: RequestInput, email: string, mail: EmailContent, at: Date) {
  const to = { email, isMailboxOwner: false, displayName: null, locale: client.locale, timeZone: null };
  return composeEmail(deps, { to, mail, tenants, client, at });
}
