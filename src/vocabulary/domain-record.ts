/** The name of the DNS record that proves the ownership of a domain (docs/contract.md, section 29.3). */
export function recordName(domain: string): string {
  return `_service-domain.${domain}`;
}

/** The value of the DNS record. */
export function recordValue(token: string): string {
  return `service-domain-verification=${token}`;
}
