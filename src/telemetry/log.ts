import { writeSync } from "node:fs";
import { Writable } from "node:stream";
import { type DestinationStream, type LoggerOptions, pino } from "pino";

export type Logger = pino.Logger;

export interface LogOptions {
  readonly level: string;
  /** Formatted lines for a terminal; JSON lines otherwise. */
  readonly pretty: boolean;
  /** Trace and span id of the active span, if any. */
  readonly traceIds: () => object | undefined;
  readonly destination?: DestinationStream;
}

/**
 * Defence in depth: no code logs a value under these names (G24). Matches the end of a name, so that `client_secret`,
 * `newPassword` and `set-cookie` match as well.
 */
const SECRET_NAME =
  /(?:authorization|cookie|email|password|secret|token|(?:^|backup_?|email_?|mfa_?|recovery_?|totp_?)code)$/i;
/** Deeper than any logged value; also ends circular references. */
const DEPTH_MAX = 6;

/**
 * JSON lines with RFC 3339 times, or formatted lines. Written synchronously, so that a crash loses no line. A line that
 * cannot be written (full disk) is dropped; logging never fails a request.
 */
export async function createLogger(options: LogOptions): Promise<Logger> {
  const settings: LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not pino's `redact`: the wildcards cost 17 µs a line for three levels; this walk costs 1 µs at any depth.
    formatters: { level: (label) => ({ level: label }), log: redacted, bindings: redacted },
    mixin: () => options.traceIds() ?? {},
    // `redacted` has described the error already; pino's own serializer would copy every property of a driver's error.
    serializers: { err: (described: unknown) => described },
  };
  return pino(settings, options.destination ?? (options.pretty ? await prettyStream() : { write }));
}

/** A record without secrets. `code` at the top level is the code of a refusal and stays readable. */
function redacted(record: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (name === "err") safe[name] = describeError(value);
    else safe[name] = name === "code" ? value : redactedValue(name, value, 1);
  }
  return safe;
}

function redactedValue(name: string, value: unknown, depth: number): unknown {
  return SECRET_NAME.test(name) ? "[redacted]" : withoutSecrets(value, depth);
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (depth > DEPTH_MAX) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  // Headers and dates, as serialised by JSON.stringify.
  if ("toJSON" in value && typeof value.toJSON === "function") return withoutSecrets(value.toJSON(), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redactedValue(name, inner, depth + 1)]),
  );
}

/** PostgreSQL manual, appendix A: classes begin with a digit, F, H, P or X, which excludes `EPIPE` and the like. */
const SQLSTATE = /^[0-9FHPX][0-9A-Z]{4}$/;

/**
 * The loggable part of an error. PostgreSQL puts values into `detail`, `parameters` and `query`: these members are left
 * out.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? String(error.code) : undefined;
  return {
    type: error.name,
    message: error.message,
    // Only the frames: the lines above the frames repeat the message.
    stack: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
    ...(code !== undefined && { [SQLSTATE.test(code) ? "sqlstate" : "error_code"]: code }),
    ...(error.cause instanceof Error && { cause: `${error.cause.name}: ${error.cause.message}` }),
  };
}

const STANDARD_OUTPUT = 1;
/** How long a full pipe of a slow reader may delay a line, and the interval of the checks. */
const FULL_PIPE_MS = 1_000;
const FULL_PIPE_PAUSE_MS = 10;
const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Whether the last line was dropped because the reader had stalled: the next lines do not wait for the reader. */
let isStalled = false;

/** Not pino's destination, which throws where no listener handles errors, and keeps unwritten lines. */
function write(text: string): void {
  const bytes = Buffer.from(text);
  let pauses = isStalled ? 0 : FULL_PIPE_MS / FULL_PIPE_PAUSE_MS;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written);
      isStalled = false;
    } catch (error) {
      const isFull = error instanceof Error && "code" in error && error.code === "EAGAIN";
      isStalled = isFull && pauses <= 0;
      if (!isFull || isStalled) return;
      pauses -= 1;
      Atomics.wait(pause, 0, 0, FULL_PIPE_PAUSE_MS);
    }
  }
}

async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  const stream = pretty({
    colorize: process.stdout.isTTY,
    translateTime: "HH:MM:ss.l",
    ignore: "pid,hostname",
    singleLine: true,
    destination: new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        write(text);
        done();
      },
    }),
  });
  return { write: (line) => void stream.write(`${JSON.stringify(JSON.parse(line, escapeControls))}\n`) };
}

/**
 * pino-pretty prints messages and stacks unescaped: a line feed would forge a log line, an escape sequence would
 * control the terminal (log injection, G19). Only line feeds of a stack are kept; pino-pretty indents those lines.
 */
function escapeControls(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return name === "stack" ? value.split("\n").map(escapeText).join("\n") : escapeText(value);
}

function escapeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
