/** The variables of the single sign-on of organizations. */
import { type DnsServerSetting, dnsServer, domainName, listOf, oneOf } from "./parsers.ts";
import { variable } from "./variable.ts";

/** Features that `SERVICE_ENTERPRISE_ONLY` can reserve for the tier `enterprise`. */
const ENTERPRISE_FEATURES = ["sso", "scim", "roles", "policies", "support"] as const;
const NO_FEATURES: readonly (typeof ENTERPRISE_FEATURES)[number][] = [];
const NO_SERVERS: readonly DnsServerSetting[] = [];
const NO_DOMAINS: readonly string[] = [];

export const SSO_VARIABLES = {
  SERVICE_DNS_SERVERS: variable(
    listOf(dnsServer),
    NO_SERVERS,
    "empty",
    "list of DNS servers, `host[:port]`, that must all have the record of a domain; empty: the servers of the system",
  ),
  SERVICE_DOMAIN_BLOCKLIST: variable(
    listOf(domainName),
    NO_DOMAINS,
    "empty",
    "domains that no organization may claim, beside public suffixes and free email providers",
  ),
  SERVICE_ENTERPRISE_ONLY: variable(
    listOf(oneOf(...ENTERPRISE_FEATURES)),
    NO_FEATURES,
    "empty",
    "features that need the tier `enterprise`: `sso`, `scim`, `roles`, `policies`, `support`",
  ),
} as const;
