/** Where a request came from, as the audit trail and the session list remember it (contract, section 2.5). */
export interface ClientFacts {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

/** The operator at the command line, and the service itself. */
export const NO_CLIENT: ClientFacts = { ipAddress: null, userAgent: null, requestId: null };
