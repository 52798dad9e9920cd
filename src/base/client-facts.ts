/** Where a request came from, as the audit trail, the session list and e-mails remember it (contract, section 2.5). */
export interface ClientFacts {
  readonly ipAddress: string | null;
  /** The same as limits count it: IPv6 by /64 (decisions, section 4). */
  readonly network: string;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The language tag that the client asks for first (RFC 9110, section 12.5.4). */
  readonly locale: string | null;
}

/** The operator at the command line, and the service itself. */
export const NO_CLIENT: ClientFacts = { ipAddress: null, network: "", userAgent: null, requestId: null, locale: null };
