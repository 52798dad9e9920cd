import { boundedFetch } from "../../base/bounded-fetch.ts";
import { causeOfConnection } from "../../base/connection-cause.ts";
import { readWithin } from "../../base/read-within.ts";
import { ok, type Result } from "../../base/result.ts";
import { MAIL_RESPONSE_MAX_BYTES, MAIL_SEND_DEADLINE_MS } from "../../limits/email-limits.ts";
import { PROVIDER_PROBE_DEADLINE_MS } from "../../limits/provider-limits.ts";
import { AUTOMATIC, type Delivery, type Mail, type MailProvider, mailboxOf } from "./mail.ts";

export interface HttpMailOptions {
  /** Base URL of the provider's API, without a trailing slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly from: string;
}

/** The provider refused this mail permanently: a retry cannot succeed, unless the refusal is about the sender. */
const PERMANENT_REFUSALS = new Set([400, 413, 422]);
/** An error about the address or the domain of the sender, which an operator corrects: the email waits. */
const ABOUT_SENDER = /\bfrom\b|\bsender\b|domain is not verified/i;

/**
 * `POST {apiUrl}/emails` with the id of the outbox row as idempotency key (G29). Redirects are not followed: a redirect
 * would send key and content to a different host.
 */
export function httpMail(options: HttpMailOptions): MailProvider {
  return {
    name: "http",
    async send(mail) {
      try {
        const response = await fetch(`${options.apiUrl}/emails`, {
          method: "POST",
          redirect: "manual",
          signal: AbortSignal.timeout(MAIL_SEND_DEADLINE_MS),
          headers: {
            authorization: `Bearer ${options.apiKey}`,
            "content-type": "application/json",
            "idempotency-key": mail.id,
          },
          body: JSON.stringify(mailJson(options.from, mail)),
        });
        return await deliveryOf(response);
      } catch (error) {
        const name = error instanceof Error ? error.name : "no response";
        return { outcome: "failed", cause: causeOfConnection(error)?.cause ?? name };
      }
    },
  };
}

export type HttpMailReport =
  | { readonly kind: "usable" }
  | { readonly kind: "refused" | "away"; readonly cause: string; readonly remedy: string };

/** What the provider says to the key, for `doctor`. No email is sent. */
export async function examineHttpMail(settings: Omit<HttpMailOptions, "from">): Promise<HttpMailReport> {
  try {
    const { ok: isUsable, status } = await requestDomains(settings);
    // Providers other than Resend have no list of domains.
    if (isUsable || status === 404 || status === 405) return { kind: "usable" };
    const cause = `the provider returns status ${status}`;
    if (status === 401 || status === 403)
      return { kind: "refused", cause, remedy: "check SERVICE_EMAIL_API_KEY, and the permissions of the key" };
    return { kind: "away", cause, remedy: "see the status page of the provider" };
  } catch (error) {
    const known = causeOfConnection(error);
    return {
      kind: "away",
      cause: known?.cause ?? "no response",
      remedy: known?.remedy ?? "check SERVICE_EMAIL_API_URL",
    };
  }
}

/** Lists the domains of a key, a test of the key without sending mail (docs/contract.md, section 15.4). */
export async function probeHttpMail(settings: Omit<HttpMailOptions, "from">): Promise<Result<void, string>> {
  try {
    const response = await requestDomains(settings);
    return response.ok ? ok(undefined) : { ok: false, error: `The provider returned status ${response.status}.` };
  } catch {
    return { ok: false, error: "The provider did not respond." };
  }
}

async function requestDomains({ apiUrl, apiKey }: Omit<HttpMailOptions, "from">): Promise<Response> {
  const bounds = { deadlineMs: PROVIDER_PROBE_DEADLINE_MS, maxBytes: MAIL_RESPONSE_MAX_BYTES };
  return await boundedFetch(`${apiUrl}/domains`, { headers: { authorization: `Bearer ${apiKey}` } }, bounds);
}

async function deliveryOf(response: Response): Promise<Delivery> {
  const { status, ok: isSent } = response;
  if (!PERMANENT_REFUSALS.has(status)) {
    // Only the status is used; cancelling frees the connection.
    await response.body?.cancel();
    return isSent ? { outcome: "sent" } : { outcome: "failed", cause: `status ${status}` };
  }
  const read = await readWithin(response.body, {
    maxBytes: MAIL_RESPONSE_MAX_BYTES,
    deadlineMs: MAIL_SEND_DEADLINE_MS,
  });
  const text = read.ok ? new TextDecoder().decode(read.value) : "";
  const isAboutSender = ABOUT_SENDER.test(text);
  return { outcome: isAboutSender ? "failed" : "refused", cause: `status ${status}${isAboutSender ? " sender" : ""}` };
}

/** The body of the provider call. */
export function mailJson(from: string, { to, subject, text, html }: Mail): object {
  return { from, to: [mailboxOf(to)], subject, text, html, headers: AUTOMATIC };
}
