/** The variables of the email provider. */
import { SMTP_CONNECTIONS } from "../limits/email-limits.ts";
import { emailSender, httpUrl, plainText, smtpUrl, wholeNumber } from "./parsers.ts";
import { optional, variable } from "./variable.ts";

export const EMAIL_VARIABLES = {
  SERVICE_EMAIL_API_URL: variable(
    httpUrl,
    "https://api.resend.com",
    "https://api.resend.com",
    "base URL of the HTTP email provider",
  ),
  SERVICE_EMAIL_API_KEY: optional(plainText, "key of the HTTP email provider"),
  SERVICE_EMAIL_KEY_PREFIX: variable(plainText, "re_", "re_", "how keys of the HTTP email provider begin"),
  SERVICE_EMAIL_FROM: optional(
    emailSender,
    "sender of emails, `name <address>` or an address; default: no-reply at the public host",
  ),
  SERVICE_SMTP_URL: optional(smtpUrl, "SMTP server in place of the HTTP email provider"),
  SERVICE_SMTP_CONNECTIONS: variable(
    wholeNumber(1, 50),
    SMTP_CONNECTIONS,
    String(SMTP_CONNECTIONS),
    "connections of a replica to the SMTP server",
  ),
} as const;
