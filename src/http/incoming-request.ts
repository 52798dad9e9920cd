import type { Deps } from "../deps.ts";
import { clientAddress } from "./client-address.ts";

/** What the server knows of a request beside the request itself. */
export interface IncomingRequest {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** The socket's peer. */
  readonly peer: () => string | undefined;
  /** Sets how long the connection may be silent. */
  readonly setIdleTimeout: (seconds: number) => void;
}

/** The address of the client; null where it is not known. */
export function addressOf(
  { config }: Pick<Deps, "config">,
  { request, peer }: Pick<IncomingRequest, "request" | "peer">,
): string | null {
  return clientAddress(peer(), request.headers.get("x-forwarded-for"), config.proxies);
}
