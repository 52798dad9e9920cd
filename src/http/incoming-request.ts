import type { Deps } from "../deps.ts";
import { clientAddress } from "./client-address.ts";

/** A request with the server's knowledge of the connection. */
export interface IncomingRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** The socket's peer. */
  readonly peer: () => string | undefined;
  /** Sets how long the connection may be silent. */
  readonly setIdleTimeout: (seconds: number) => void;
}

/** The address of the client; null if the address is unknown. */
export function addressOf(
  { config }: Pick<Deps, "config">,
  { request, peer }: Pick<IncomingRequest, "request" | "peer">,
): string | null {
  return clientAddress(peer(), request.headers.get("x-forwarded-for"), config.proxies);
}
