/** The forms of REDIS_URL: one server, a cluster, or a master that Sentinel watches. */
import { readFileSync } from "node:fs";
import { readServerUrl, type ServerUrl } from "./server-url.ts";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

export type RedisAddress = (
  | {
      readonly kind: "server" | "cluster";
      readonly endpoint: Endpoint;
      readonly database: number;
      /** The family of addresses: 4, 6, or 0 for both. */
      readonly family?: number;
    }
  | {
      readonly kind: "sentinel";
      readonly sentinels: readonly Endpoint[];
      /** The name of the master in the configuration of the sentinels. */
      readonly name: string;
      /** Credentials for the sentinels; without `sentinel_username` and `sentinel_password` no credentials. */
      readonly sentinelLogin: Credentials;
    }
) & {
  readonly tls: boolean;
  /** Credentials for the servers. */
  readonly login: Credentials;
  /** The names of parameters without an effect. */
  readonly leftOut: readonly string[];
};

const SCHEMES = ["redis", "rediss", "redis+sentinel", "rediss+sentinel"];
const PORT = 6379;
const SENTINEL_PORT = 26_379;
const READ = new Set(["cluster", "password_file", "db", "family"]);
const READ_BY_SENTINEL = new Set(["password_file", "sentinel_username", "sentinel_password", "sentinel_password_file"]);

/**
 * `redis[s]://…`, with `?cluster=true` for a cluster, or
 * `redis[s]+sentinel://[user[:password]@]host[:port],host[:port]/name`. `?password_file=` names a file with the
 * password. Throws an Error that states the problem and repeats no part of the URL.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const url = readServerUrl(text, SCHEMES);
  const { scheme, parameters } = url;
  for (const name of ["tls", "ssl"]) {
    if (parameters.has(name) && !scheme.startsWith("rediss"))
      throw new Error("a URL that starts with rediss:// for TLS");
  }
  const isSentinel = scheme.endsWith("+sentinel");
  const known = isSentinel ? READ_BY_SENTINEL : READ;
  return {
    ...(isSentinel ? sentinelAddress(url) : serverAddress(url)),
    tls: scheme.startsWith("rediss"),
    login: credentials(url.username, url.password, parameters.get("password_file")),
    leftOut: [...parameters.keys()].filter((name) => !known.has(name)),
  };
}

function serverAddress({ hosts, path, parameters }: ServerUrl) {
  const [{ host, port = PORT } = { host: "" }, ...further] = hosts;
  if (further.length > 0) throw new Error("a URL with one host; a cluster finds its further nodes");
  const family = parameters.get("family");
  return {
    kind: parameters.get("cluster") === "true" ? ("cluster" as const) : ("server" as const),
    endpoint: { host: host || "localhost", port },
    database: wholeNumber("database", path || parameters.get("db") || "0"),
    ...(family ? { family: wholeNumber("family", family) } : {}),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`a URL whose ${name} is a number`);
  return Number(text);
}

function sentinelAddress({ hosts, path, parameters }: ServerUrl) {
  if (hosts.some(({ host }) => host === "") || path === "" || path.endsWith("/"))
    throw new Error("redis+sentinel://host:port,host:port/name");
  const [username, password] = [parameters.get("sentinel_username"), parameters.get("sentinel_password")];
  return {
    kind: "sentinel" as const,
    sentinels: hosts.map(({ host, port = SENTINEL_PORT }) => ({ host, port })),
    name: path,
    sentinelLogin: credentials(username, password, parameters.get("sentinel_password_file")),
  };
}

/** The trailing line break of a password file is not part of the password. */
function credentials(username = "", password = "", passwordFile?: string): Credentials {
  const secret = passwordFile === undefined ? password : readPassword(passwordFile);
  return { ...(username ? { username } : {}), ...(secret ? { password: secret } : {}) };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new Error("a URL whose password file can be read");
  }
}
