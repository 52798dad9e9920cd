/** The origin of a request, as stored in audit records and sessions (docs/contract.md, sections 2.11 and 4.13). */
export interface RequestContext {
  readonly ipAddress: string | null;
  /** The address as rate limits count it: IPv6 by /64 (G14). */
  readonly network: string;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The preferred language tag of Accept-Language (RFC 9110, section 12.5.4). */
  readonly locale: string | null;
  /** The service account of a request of a program. */
  readonly programId?: string | undefined;
  /** `traceparent` of the request's span if the span is sampled: later work of the request links to the span. */
  readonly traceparent?: string | undefined;
}

/** The context of actions of the command line and of the service. */
export const NO_CLIENT: RequestContext = {
  ipAddress: null,
  network: "",
  userAgent: null,
  requestId: null,
  locale: null,
};
