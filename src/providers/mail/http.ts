import { boundedFetch } from "../../base/bounded-fetch.ts";
import { MAIL_ANSWER_MAX_BYTES, MAIL_SEND_DEADLINE_MS, PROVIDER_PROBE_DEADLINE_MS } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Delivery, Mail, MailProvider } from "./mail.ts";

export interface HttpMailOptions {
  /** Base of the provider's API, without a slash at its end. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly from: string;
}

/** The provider looked at the mail and will not take it: asking again would not change its mind. */
const REFUSING_STATUSES = new Set([400, 413, 422]);

/**
 * `POST {apiUrl}/emails` with the row's id as idempotency key (decisions, section 6). A redirect is not followed: it would carry
 * key and content elsewhere.
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
        // The answer is not read: what counts is its status.
        await response.body?.cancel();
        return deliveryOf(response.status);
      } catch (error) {
        return { outcome: "failed", cause: error instanceof Error ? error.name : "no answer" };
      }
    },
  };
}

/** Asks for the domains of a key: tells whether it is one, without sending anything (contract, section 4.12). */
export async function probeHttpMail({ apiUrl, apiKey }: Omit<HttpMailOptions, "from">): Promise<Result<void, string>> {
  try {
    const bounds = { deadlineMs: PROVIDER_PROBE_DEADLINE_MS, maxBytes: MAIL_ANSWER_MAX_BYTES };
    const response = await boundedFetch(
      `${apiUrl}/domains`,
      { headers: { authorization: `Bearer ${apiKey}` } },
      bounds,
    );
    return response.ok ? ok(undefined) : { ok: false, error: `The provider answered with status ${response.status}.` };
  } catch {
    return { ok: false, error: "The provider did not answer." };
  }
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return { outcome: "sent" };
  return { outcome: REFUSING_STATUSES.has(status) ? "refused" : "failed", cause: `status ${status}` };
}

/** The body of the provider call. */
export function mailJson(from: string, { to, subject, text, html }: Mail): object {
  return { from, to: [to], subject, text, html };
}
