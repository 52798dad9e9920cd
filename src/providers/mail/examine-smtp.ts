import { causeOfConnection } from "../../base/connection-cause.ts";
import { readServerUrl } from "../../base/server-url.ts";
import { SMTP_EXAMINATION_MS } from "../../limits/email-limits.ts";

/** What an SMTP server said to a client that sends no email. */
export type SmtpReport =
  | { readonly kind: "usable"; readonly encrypted: boolean; readonly signedIn: boolean }
  /** The configuration is wrong: login, TLS, or the name of the host. */
  | { readonly kind: "refused" | "away"; readonly cause: string; readonly remedy: string };

const LOGIN = "check user and password of SERVICE_SMTP_URL; some providers need a password for applications";
const LOGIN_ABSENT =
  "the server offers no login: use the port for submission (587, or 465 with smtps://), or a URL without user";
const SERVER = "see the reply, and ask the provider of the server";
/** A cause of the network; any further cause is of the configuration. */
const PASSING = /^(?:ETIMEDOUT|ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ECONNRESET)$/;

/** Connects, says EHLO, begins TLS where offered, and signs in with the user of the URL (RFC 5321, 3207, 4954). */
export async function examineSmtp(url: string): Promise<SmtpReport> {
  const [{ default: SmtpConnection }, { parseConnectionUrl }] = await Promise.all([
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/shared"),
  ]);
  const { auth, ...options } = parseConnectionUrl(url) as ConnectionOptions;
  const connection = new SmtpConnection({
    ...options,
    connectionTimeout: SMTP_EXAMINATION_MS,
    greetingTimeout: SMTP_EXAMINATION_MS,
    socketTimeout: SMTP_EXAMINATION_MS,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once("error", reject);
      connection.once("end", () => reject(new Error("the server closed the connection")));
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    if (auth) {
      await new Promise<void>((resolve, reject) => {
        connection.once("error", reject);
        connection.login(auth, (error) => (error ? reject(error) : resolve()));
      });
    }
    return { kind: "usable", encrypted: connection.secure === true, signedIn: auth !== undefined };
  } catch (error) {
    return failureOf(error, isImplicitTls(url));
  } finally {
    connection.close();
  }
}

type Credentials = { readonly user: string; readonly pass: string };
type ConnectionOptions = { readonly auth?: Credentials } & Record<string, unknown>;

function isImplicitTls(url: string): boolean {
  return readServerUrl(url, ["smtp", "smtps"]).scheme === "smtps";
}

/** The text of a reply is omitted where it may contain the user; the code and the enhanced code stay. */
function failureOf(error: unknown, implicitTls: boolean): SmtpReport {
  const {
    code = "",
    originalCode = "",
    responseCode,
    response = "",
    message = "",
  } = error as {
    code?: string;
    originalCode?: string;
    responseCode?: number;
    response?: string;
    message?: string;
  };
  const status = [responseCode, /(?:^|\s)([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(response)?.[1]]
    .filter(Boolean)
    .join(" ");
  if (code === "EAUTH" || code === "ENOAUTH") {
    // 500 to 504: the server does not know AUTH (RFC 5321, section 4.2.3).
    const isOffered = responseCode !== undefined && !/^50\d/.test(status);
    const remedy = isOffered ? LOGIN : LOGIN_ABSENT;
    return { kind: "refused", cause: `the login is refused (${status || "no reply"})`, remedy };
  }
  if (status) return { kind: "refused", cause: `the server refused the connection (${status})`, remedy: SERVER };
  if (/greeting/i.test(message)) {
    const remedy = implicitTls
      ? "check host and port"
      : "check host and port; a port for TLS alone (465) needs smtps://";
    return { kind: "away", cause: "no greeting of an SMTP server", remedy };
  }
  const known = causeOfConnection(error);
  if (!known) return { kind: "away", cause: message || "no response", remedy: "check host and port" };
  const kind = PASSING.test(originalCode || code) ? "away" : "refused";
  return { kind, cause: known.cause, remedy: tlsRemedy(known, implicitTls) };
}

function tlsRemedy({ cause, remedy }: { cause: string; remedy: string }, implicitTls: boolean): string {
  if (!cause.includes("no TLS")) return remedy;
  return implicitTls ? "use smtp:// (STARTTLS, port 587), or the port for TLS (465)" : "check STARTTLS of the server";
}
