/**
 * The parts of a URL with the password of a server: PostgreSQL, Redis, SMTP. The class `URL` accepts a password with an
 * unescaped character and cuts the URL there, so that the error appears later and at another place.
 */

export interface ServerHost {
  /** Without brackets; a path of a Unix socket begins with a slash; empty for the default of the driver. */
  readonly host: string;
  readonly port: number | undefined;
}

export interface ServerUrl {
  readonly scheme: string;
  /** Decoded, as the password and the path. Empty if absent. */
  readonly username: string;
  readonly password: string;
  readonly hosts: readonly ServerHost[];
  /** Without the slash at the beginning. */
  readonly path: string;
  /** The last value of each parameter. */
  readonly parameters: ReadonlyMap<string, string>;
}

const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(#.*)?$/is;
const HOST = /^(?:\[([^[\]]+)\]|([^:[\]]*))(?::([^:]*))?$/s;

/** Throws an Error whose message completes "must be …", names the wrong part and repeats no part of the URL. */
export function readServerUrl(text: string, schemes: readonly string[]): ServerUrl {
  const [, scheme = "", authority = "", path = "", query = "", fragment] = URL_PARTS.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) throw new Error(expectedScheme(text, schemes));
  refuseCutPassword({ authority, path, query, fragment });
  const at = authority.lastIndexOf("@");
  const userInfo = authority.slice(0, Math.max(at, 0));
  const colon = userInfo.indexOf(":");
  return {
    scheme: scheme.toLowerCase(),
    username: decoded("user name", colon < 0 ? userInfo : userInfo.slice(0, colon)),
    password: decoded("password", colon < 0 ? "" : userInfo.slice(colon + 1)),
    hosts: authority
      .slice(at + 1)
      .split(",")
      .map(readHost),
    path: decoded("path", path),
    parameters: new Map(new URLSearchParams(query)),
  };
}

function expectedScheme(text: string, schemes: readonly string[]): string {
  const expected = `a URL that starts with ${schemes.map((each) => `${each}://`).join(" or ")}`;
  return /^["'`]/.test(text) ? `${expected}, without quotation marks` : expected;
}

/** An unescaped `/`, `?` or `#` in a password ends the authority, and the @ follows in a later part. */
function refuseCutPassword(parts: { authority: string; path: string; query: string; fragment: string | undefined }) {
  const { authority, path, query, fragment } = parts;
  const isCut = (part: string) => part.includes("@");
  if (isCut(path)) refuseCharacter("/", "%2F");
  // A query with an @ may begin in a password: neither its names nor the host before it are read or named.
  if (isCut(query)) refuseQuery(authority, path);
  if (fragment !== undefined) refuseCharacter("#", "%23");
  if (/%(?![0-9a-f]{2})/i.test(authority)) refuseCharacter("%", "%25");
}

/** After user information and a path, the @ is more likely in the value of a parameter. */
function refuseQuery(authority: string, path: string): never {
  if (!authority.includes("@") || path === "") refuseCharacter("?", "%3F");
  throw new Error("a URL whose parameters are percent-encoded: @ is written %40 (in a password, ? is written %3F)");
}

function refuseCharacter(character: string, written: string): never {
  throw new Error(`a URL whose password is percent-encoded: ${character} is written ${written}`);
}

function decoded(part: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`a URL whose ${part} is percent-encoded UTF-8: % is written %25`);
  }
}

function readHost(text: string): ServerHost {
  const [found, address, name = "", port] = HOST.exec(text) ?? [];
  if (found === undefined)
    throw new Error("a URL whose host is a name, or an IPv6 address in brackets ([2001:db8::1])");
  return { host: address ?? decoded("host", name), port: port ? readPort(port) : undefined };
}

/** Throws an Error like `readServerUrl`. */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new Error("a URL whose port is a number from 1 to 65535 (in a password, / ? # % are %2F %3F %23 %25)");
  return port;
}
