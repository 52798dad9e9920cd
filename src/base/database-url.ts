/**
 * The reader of URLs of PostgreSQL, as hosters and libpq print them (PostgreSQL manual, section 34.1). The driver would
 * send a parameter that the driver does not know to the server, which refuses the connection.
 */
import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { readPort, readServerUrl, type ServerHost } from "./server-url.ts";

/** Options of the driver, and the parameters without an effect. */
export interface DatabaseAddress {
  /** Absent: the default of the driver, which reads `PGHOST` and `PGPORT`. */
  readonly host?: string[];
  readonly port?: number[];
  /** The Unix socket. */
  readonly path?: string;
  readonly user?: string;
  readonly pass?: string;
  readonly database?: string;
  readonly ssl?: "require" | "prefer" | "verify-full" | TlsFiles | false;
  readonly sslnegotiation?: "direct";
  /** Seconds of silence before a probe of TCP; null for no probes. */
  readonly keep_alive?: number | null;
  readonly target_session_attrs?: TargetSession;
  /** Startup parameters. */
  readonly connection: Readonly<Record<string, string>>;
  /** The names of parameters without an effect. */
  readonly leftOut: readonly string[];
}

interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
  rejectUnauthorized: boolean;
  checkServerIdentity?: () => undefined;
}

type TargetSession = "read-write" | "read-only" | "primary" | "standby" | "prefer-standby";

const SCHEMES = ["postgres", "postgresql"];
const TARGETS = ["read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
const PORT = 5432;
const MODES = ["disable", "allow", "prefer", "require", "no-verify", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

/** Parameters whose harmless values describe the behaviour of the driver. A further value is reported as left out. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ["disable", "prefer"],
  gssencmode: ["disable", "prefer"],
  krbsrvname: [],
  replication: ["false", "off", "no", "0"],
  load_balance_hosts: ["disable"],
  client_encoding: ["utf8", "utf-8", "unicode", "auto"],
  sslcompression: ["0"],
  sslsni: ["1"],
};
/** Unknown parameters with these beginnings protect a connection: the connection would be less protected without. */
const PROTECTING = /^(?:ssl|tls|require)/i;
/** Read by `readDatabaseUrl`. */
const READ = new Set([
  ...["host", "port", "user", "username", "password", "dbname", "application_name", "options"],
  ...["sslmode", "ssl", "sslaccept", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslnegotiation"],
  ...["keepalives", "keepalives_idle", "target_session_attrs"],
]);

/** Throws an Error whose message completes "must be …" and never repeats the value. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const { username, password, hosts, path, parameters } = readServerUrl(text, SCHEMES);
  const read = (name: string) => parameters.get(name) || undefined;
  return present({
    ...readAddress(hosts, read("host"), read("port")),
    user: username || read("user") || read("username"),
    pass: password || read("password"),
    database: path || read("dbname"),
    ssl: readTls(read),
    sslnegotiation: read("sslnegotiation") === "direct" ? ("direct" as const) : undefined,
    keep_alive: readKeepAlive(read),
    target_session_attrs: readTarget(read("target_session_attrs")),
    connection: present({ application_name: read("application_name"), options: read("options") }),
    leftOut: [...parameters].filter(([name, value]) => hasNoEffect(name, value)).map(([name]) => name),
  });
}

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** The options of the driver for a URL. A name in the URL, and `options` for the server, win over `more`. */
export function driverOptions(url: string, more: DriverOptions): DriverOptions {
  const { leftOut: _, host, port, pass, connection, ...address } = readDatabaseUrl(url);
  const options: DriverOptions = { ...address, ...more, connection: { ...more.connection, ...connection } };
  if (pass !== undefined) options.pass = preparedPassword(pass);
  // The types of the driver have no lists of hosts and ports, which the driver reads.
  return Object.assign(options, host && { host }, port && { port });
}

const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const IGNORED = /\u034f|\u200d|[\u00ad\u1806\u200c\u2060\ufeff]|[\u180b-\u180d]|[\ufe00-\ufe0f]/g;

/** As the server prepares a password for SCRAM (SASLprep, RFC 4013, section 2): the driver sends the text unchanged. */
function preparedPassword(password: string): string {
  return password.replace(SPACES, " ").replace(IGNORED, "").normalize("NFKC");
}

type Address = Pick<DatabaseAddress, "host" | "port" | "path">;

function readAddress(hosts: readonly ServerHost[], host: string | undefined, port: string | undefined): Address {
  const ports = port?.split(",").map(readPort) ?? [];
  const named = host?.split(",").map((each) => ({ host: withoutBrackets(each), port: hosts[0]?.port }));
  const all = (named ?? hosts).map((each, index) => ({
    host: each.host,
    port: each.port ?? ports[index] ?? ports[0],
  }));
  const [first] = all;
  if (first?.host.startsWith("/") && all.length === 1) return { path: socketOf(first.host, first.port ?? PORT) };
  if (all.some((each) => /^[/@]/.test(each.host)))
    throw new Error("a URL with the folder of one Unix socket (host=/var/run/postgresql), or with hosts");
  // The driver reads PGHOST and PGPORT.
  if (all.length === 1 && first?.host === "") return first.port === undefined ? {} : { port: [first.port] };
  if (all.some((each) => each.host === "")) throw new Error("a URL with a name or an address for each host");
  return { host: all.map((each) => each.host), port: all.map((each) => each.port ?? PORT) };
}

/** libpq names the folder of the socket; some programs print the file. */
function socketOf(host: string, port: number): string {
  return /\/\.s\.PGSQL\.\d+$/.test(host) ? host : `${host.replace(/\/+$/, "")}/.s.PGSQL.${port}`;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, (_, address) => address);
}

function readTls(read: (name: string) => string | undefined): DatabaseAddress["ssl"] {
  const mode = readMode(read);
  const root = read("sslrootcert");
  if (mode === "disable") return false;
  if (mode === undefined && root === undefined && read("sslcert") === undefined) return undefined;
  const files = present({
    ca: root === undefined || root === "system" ? undefined : contentOf("sslrootcert", root),
    cert: contentOf("sslcert", read("sslcert")),
    key: contentOf("sslkey", read("sslkey")),
    passphrase: read("sslpassword"),
  });
  const verifies = mode === "verify-ca" || mode === "verify-full" || root !== undefined;
  if (Object.keys(files).length === 0) {
    if (verifies) return "verify-full";
    return mode === "require" || mode === "no-verify" ? "require" : "prefer";
  }
  if (!verifies) return { ...files, rejectUnauthorized: false };
  // As libpq: with a root certificate, `require` verifies the certificate, and only `verify-full` the name. Without a
  // file any authority of the system would do, so `verify-ca` verifies the name too.
  const ignoresName = files.ca !== undefined && mode !== "verify-full";
  return { ...files, rejectUnauthorized: true, ...(ignoresName ? { checkServerIdentity: () => undefined } : {}) };
}

/** `ssl` of JDBC and node-postgres, `sslaccept` of Prisma. */
function readMode(read: (name: string) => string | undefined): Mode | undefined {
  const { ssl, sslmode, sslaccept } = { ssl: read("ssl"), sslmode: read("sslmode"), sslaccept: read("sslaccept") };
  if (sslaccept === "strict") return "verify-full";
  if (sslaccept === "accept_invalid_certs") return "require";
  if (sslaccept !== undefined) throw new Error("a URL whose sslaccept is strict or accept_invalid_certs");
  if (sslmode === undefined && ssl === "true") return "verify-full";
  if (sslmode === undefined && ssl === "false") return "disable";
  const name = sslmode ?? ssl;
  const mode = MODES.find((each) => each === name);
  if (name !== undefined && !mode) throw new Error(`a URL whose sslmode is one of ${MODES.join(", ")}`);
  return mode;
}

function contentOf(name: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new Error(`a URL whose ${name} names a file that can be read`);
  }
}

function readKeepAlive(read: (name: string) => string | undefined): number | null | undefined {
  if (read("keepalives") === "0") return null;
  const idle = Number(read("keepalives_idle") ?? 0);
  return Number.isInteger(idle) && idle > 0 ? idle : undefined;
}

function readTarget(name: string | undefined): TargetSession | undefined {
  if (name === undefined || name === "any") return undefined;
  const target = TARGETS.find((each) => each === name);
  if (!target) throw new Error(`a URL whose target_session_attrs is one of any, ${TARGETS.join(", ")}`);
  return target;
}

function hasNoEffect(name: string, value: string): boolean {
  if (READ.has(name)) return false;
  const harmless = DEFAULTS[name];
  if (harmless) return value !== "" && !harmless.includes(value.toLowerCase());
  if (PROTECTING.test(name)) throw new Error(`a URL without the parameter ${name}, which the driver cannot enforce`);
  return true;
}

type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}
