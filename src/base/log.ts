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

/**
 * The last net: nothing is logged under these names in the first place (promise 24). Matches the end of a name, so that
 * `client_secret`, `newPassword` and `set-cookie` are caught as well.
 */
const SECRET_NAME =
  /(?:authorization|cookie|email|password|secret|token|(?:^|backup_?|email_?|mfa_?|recovery_?|totp_?)code)$/i;
/** Deeper than anything we log; also ends what refers to itself. */
const DEPTH_MAX = 6;

/** Structured logs: JSON lines with RFC 3339 times, or lines for a person. Written synchronously, so that a crash loses none. */
export async function createLogger(options: LogOptions): Promise<Logger> {
  const settings: LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Instead of pino's `redact`, whose wildcards cost 17 us a line for three levels: this walk costs one, at any level.
    formatters: { level: (label) => ({ level: label }), log: guarded, bindings: guarded },
    mixin: () => options.traceIds() ?? {},
    // `guarded` has described the error already; pino's own serializer would copy whatever a driver put on it.
    serializers: { err: (described: unknown) => described },
  };
  return pino(
    settings,
    options.destination ?? (options.pretty ? await prettyStream() : pino.destination({ sync: true })),
  );
}

/** A record as it may be written. `code` at the top is the code of a refusal, which operators look for. */
function guarded(record: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === "err") safe[name] = describeError(value);
    else safe[name] = name === "code" ? value : censored(name, value, 1);
  }
  return safe;
}

function censored(name: string, value: unknown, depth: number): unknown {
  return SECRET_NAME.test(name) ? "[redacted]" : withoutSecrets(value, depth);
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (depth > DEPTH_MAX) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  // Headers and dates: what JSON would make of them.
  if ("toJSON" in value && typeof value.toJSON === "function") return withoutSecrets(value.toJSON(), depth + 1);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, censored(name, inner, depth + 1)]));
}

/** PostgreSQL manual, appendix A: classes begin with a digit, F, H, P or X; `EPIPE` and its like are not among them. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/** What a log may say of an error. Postgres puts values into `detail`, `parameters` and `query`: those stay out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? String(error.code) : undefined;
  return {
    type: error.name,
    message: error.message,
    // The frames alone: the lines above them repeat the message.
    stack: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
    ...(code !== undefined && { [SQLSTATE.test(code) ? "sqlstate" : "error_code"]: code }),
    ...(error.cause instanceof Error && { cause: `${error.cause.name}: ${error.cause.message}` }),
  };
}

async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  const stream = pretty({
    colorize: process.stdout.isTTY,
    translateTime: "HH:MM:ss.l",
    ignore: "pid,hostname",
    sync: true,
    singleLine: true,
  });
  return { write: (line) => void stream.write(`${JSON.stringify(JSON.parse(line, visible))}\n`) };
}

/**
 * pino-pretty prints messages and stacks as they are: a line feed in one would begin a line of somebody else's making,
 * an escape would steer the terminal. Only the lines of a stack stay lines; they are printed indented.
 */
function visible(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return name === "stack" ? value.split("\n").map(withoutControls).join("\n") : withoutControls(value);
}

function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
