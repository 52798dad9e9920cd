import { type DestinationStream, type LoggerOptions, pino } from "pino";

export type Logger = pino.Logger;

export interface LogOptions {
  readonly level: string;
  /** For a person at a terminal; JSON lines otherwise. */
  readonly pretty: boolean;
  /** Trace and span id of the moment, if there is a span. */
  readonly traceIds: () => object | undefined;
  readonly destination?: DestinationStream;
}

/** The last net: nothing is logged under these names in the first place (promise 24). */
const SECRET_NAMES = [
  "access_token",
  "authorization",
  "code",
  "cookie",
  "email",
  "mfa_token",
  "new_password",
  "password",
  "recovery_code",
  "refresh_token",
  "secret",
  "token",
];
const REDACTED = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `headers["${name}"]`]).filter(
  // `code` at the top is the code of a refusal, which operators look for.
  (path) => path !== "code",
);

/** Structured logs: JSON lines with RFC 3339 times, or lines for a person. Written synchronously, so that a crash loses none. */
export async function createLogger(options: LogOptions): Promise<Logger> {
  const settings: LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => options.traceIds() ?? {},
    serializers: { err: describeError },
    redact: { paths: REDACTED, censor: "[redacted]" },
  };
  return pino(
    settings,
    options.destination ?? (options.pretty ? await prettyStream() : pino.destination({ sync: true })),
  );
}

/** What a log may say of an error. Postgres puts values into `detail`, `parameters` and `query`: those stay out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? { sqlstate: String(error.code) } : {};
  const cause = error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}

async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    colorize: process.stdout.isTTY,
    translateTime: "HH:MM:ss.l",
    ignore: "pid,hostname",
    sync: true,
    singleLine: true,
  });
}
