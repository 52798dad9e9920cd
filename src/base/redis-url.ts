/** The forms of REDIS_URL: one server, a cluster, or a master that Sentinel watches. */
import { readFileSync } from "node:fs";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

export type RedisAddress =
  | {
      readonly kind: "server" | "cluster";
      /** Without user and password. */
      readonly url: string;
      readonly tls: boolean;
      readonly login: Credentials;
    }
  | {
      readonly kind: "sentinel";
      readonly sentinels: readonly Endpoint[];
      /** The name of the master in the configuration of the sentinels. */
      readonly name: string;
      readonly tls: boolean;
      /** Credentials for the servers. */
      readonly login: Credentials;
      /** Credentials for the sentinels; without `sentinel_username` and `sentinel_password` no credentials. */
      readonly sentinelLogin: Credentials;
    };

const SENTINEL_PORT = 26_379;
const SENTINEL_URL = /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const ENDPOINT = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/**
 * `redis[s]://…`, with `?cluster=true` for a cluster, or
 * `redis[s]+sentinel://[user[:password]@]host[:port],host[:port]/name`. `?password_file=` names a file with the
 * password. Throws an Error that states the problem and repeats no part of the URL.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const sentinel = SENTINEL_URL.exec(text);
  if (sentinel) return sentinelAddress(sentinel);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^rediss?:$/.test(url.protocol)) {
    throw new Error("a URL that starts with redis://, rediss://, redis+sentinel:// or rediss+sentinel://");
  }
  const kind = url.searchParams.get("cluster") === "true" ? "cluster" : "server";
  const login = credentials(url.username, url.password, url.searchParams.get("password_file"));
  // The driver prefers credentials of the URL to `login`, and a user without a password to a user with the file's
  // password.
  [url.username, url.password] = ["", ""];
  return { kind, url: url.href, tls: url.protocol === "rediss:", login };
}

function sentinelAddress([, scheme, userInfo = "", hosts = "", name = "", query]: RegExpExecArray): RedisAddress {
  const parameters = new URLSearchParams(query);
  const separator = userInfo.indexOf(":");
  const [username, password] =
    separator < 0 ? [userInfo, ""] : [userInfo.slice(0, separator), userInfo.slice(separator + 1)];
  return {
    kind: "sentinel",
    sentinels: hosts.split(",").map(endpointOf),
    name: decodeURIComponent(name),
    tls: scheme === "rediss",
    login: credentials(username, password, parameters.get("password_file")),
    sentinelLogin: credentials(
      encodeURIComponent(parameters.get("sentinel_username") ?? ""),
      encodeURIComponent(parameters.get("sentinel_password") ?? ""),
      parameters.get("sentinel_password_file"),
    ),
  };
}

function endpointOf(text: string): Endpoint {
  const [, host = "", port] = ENDPOINT.exec(text) ?? [];
  if (!host) throw new Error("redis+sentinel://host:port,host:port/name");
  return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? SENTINEL_PORT : Number(port) };
}

/**
 * `username` and `password` are percent-encoded. The trailing line break of a password file is not part of the
 * password.
 */
function credentials(username: string, password: string, passwordFile: string | null): Credentials {
  const secret = passwordFile === null ? decodeURIComponent(password) : readPassword(passwordFile);
  return { ...(username ? { username: decodeURIComponent(username) } : {}), ...(secret ? { password: secret } : {}) };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new Error("a URL whose password file can be read");
  }
}
