import type { Deps } from "../../deps.ts";
import { examineSmtp } from "../../providers/mail/examine-smtp.ts";
import { examineHttpMail } from "../../providers/mail/http.ts";

/** Whether email would be accepted, for `doctor`; no email is sent. */
export type MailReport =
  | { readonly kind: "usable"; readonly way: string; readonly warning?: string }
  /** `refused`: the configuration is wrong. `away`: a later attempt may succeed. */
  | { readonly kind: "refused" | "away"; readonly cause: string; readonly remedy: string }
  | { readonly kind: "unset" };

/** Examines the provider of the environment as the outbox uses the provider. */
export async function examineMail({ smtpUrl, apiKey, apiUrl }: Deps["config"]["mail"]): Promise<MailReport> {
  if (smtpUrl) {
    const report = await examineSmtp(smtpUrl);
    if (report.kind !== "usable") return report;
    const [encryption, login] = [
      report.encrypted ? "with" : "without",
      report.signedIn ? "signed in" : "without a login",
    ];
    const way = `by SMTP, ${encryption} TLS, ${login}`;
    const warning = "passwords and emails are sent in the clear: use a server with STARTTLS or smtps://";
    return report.signedIn && !report.encrypted ? { kind: "usable", way, warning } : { kind: "usable", way };
  }
  if (!apiKey) return { kind: "unset" };
  const report = await examineHttpMail({ apiUrl, apiKey });
  return report.kind === "usable" ? { kind: "usable", way: `by ${new URL(apiUrl).host}` } : report;
}
