/** The variables HTTPS_PROXY and NO_PROXY, as curl and the runtimes read them. */
import { readServerUrl } from "./server-url.ts";

export interface ProxySetting {
  readonly host: string;
  readonly port: number;
  /** Whether the connection to the proxy itself uses TLS. */
  readonly tls: boolean;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
  /** Whether a host, without brackets, is called without the proxy. */
  readonly isDirect: (host: string) => boolean;
}

/** Throws an Error whose message completes "must be …" and never repeats the value. */
export function readProxy(url: string, exceptions: string): ProxySetting {
  const { scheme, username, password, hosts } = readServerUrl(url, ["http", "https"]);
  const [{ host, port } = { host: "", port: undefined }, ...further] = hosts;
  if (host === "" || further.length > 0) throw new Error("a URL with one host, such as http://proxy.example.com:3128");
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  return {
    host,
    port: port ?? (scheme === "https" ? 443 : 80),
    tls: scheme === "https",
    authorization: username || password ? `Basic ${login}` : undefined,
    isDirect: directHosts(exceptions),
  };
}

/** `NO_PROXY`: hosts and domains with their subdomains, with or without a dot in front; `*` for every host. */
function directHosts(text: string): (host: string) => boolean {
  const names = text
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .map((each) => (each === "*" ? each : each.replace(/^\*?\./, "").replace(/(?<=^[^:]+):\d+$/, "")))
    .filter((each) => each !== "");
  return (host) => {
    const name = host.toLowerCase();
    return names.some((each) => each === "*" || name === each || name.endsWith(`.${each}`));
  };
}
