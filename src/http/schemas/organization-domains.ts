import { Type } from "@sinclair/typebox";
import {
  DOMAIN_INPUT_MAX_CHARACTERS,
  DOMAIN_MAX_CHARACTERS,
  DOMAIN_TRANSFER_REASON_MAX_CHARACTERS,
} from "../../limits/sso-limits.ts";
import { DOMAIN_STATUSES } from "../../models/organization-domain/organization-domain.ts";
import { nullable, oneOf, PageQuery, Timestamp, text, Uuid } from "./common.ts";

export const DomainsQuery = Type.Object({ ...PageQuery.properties });

export const ClaimDomainBody = Type.Object(
  {
    domain: Type.String({
      maxLength: DOMAIN_INPUT_MAX_CHARACTERS,
      documented: { maxLength: DOMAIN_MAX_CHARACTERS },
      description: "stored in lower case, as A-labels, without a trailing dot",
      examples: ["acme.com"],
    }),
  },
  { $id: "ClaimDomainRequest" },
);
export const ChangeDomainBody = Type.Object(
  {
    connection_id: nullable(Uuid, { description: "null: addresses of the domain use every active connection" }),
  },
  { $id: "ChangeDomainRequest" },
);
export const TransferDomainBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: DOMAIN_TRANSFER_REASON_MAX_CHARACTERS,
      pattern: "^[^\\u0000]*$",
      rule: "must not contain NUL",
      description: "recorded in the audit trail of the platform",
      examples: ["Acme has shown the registration of the domain."],
    }),
  },
  { $id: "TransferDomainRequest" },
);

const domain = {
  id: Uuid,
  organization_id: Uuid,
  domain: text("acme.com"),
  status: oneOf(DOMAIN_STATUSES, { $id: "DomainStatus" }),
  conflict: Type.Boolean({
    description: "the claim waits, because another organization holds the domain",
    examples: [false],
  }),
  record_name: text("_service-domain.acme.com", "name of the TXT record"),
  record_value: text("service-domain-verification=4fzR0ZB1cNq8JtYw3mKx7LpVh2DsAe6G", "value of the TXT record"),
  connection_id: nullable(Uuid, { description: "the only connection of the domain; null: every active connection" }),
  claimed_by: nullable(Uuid, { description: "null after the deletion of the user" }),
  verified_at: nullable(Timestamp),
  checked_at: nullable(Timestamp, { description: "the last check, whatever the result" }),
  missing_since: nullable(Timestamp, { description: "set while the record is missing" }),
  created_at: Timestamp,
};
export const DomainItem = Type.Object(domain, { $id: "OrganizationDomain" });
export const CheckedDomainItem = Type.Object(
  {
    ...domain,
    found: Type.Array(Type.String(), {
      description: "the values of the TXT record in DNS, to find a typing error",
      examples: [["service-domain-verification=4fzR0ZB1cNq8JtYw3mKx7LpVh2DsAe6G"]],
    }),
    dns_responded: Type.Boolean({
      description: "false: no DNS server responded in time, and the status is unchanged",
      examples: [true],
    }),
  },
  { $id: "CheckedOrganizationDomain" },
);
