/** The variables of periods after which data is erased. */
import { ACCOUNT_DELETION_DAYS_DEFAULT, ACCOUNT_DELETION_DAYS_MAX } from "../limits/deletion-limits.ts";
import { ORGANIZATIONS_PER_USER_DEFAULT, ORGANIZATIONS_PER_USER_MAX } from "../limits/organization-limits.ts";
import { REGISTRATION_MODES } from "../vocabulary/registration.ts";
import { oneOf, wholeNumber } from "./parsers.ts";
import { optional, variable } from "./variable.ts";

export const ACCOUNT_VARIABLES = {
  SERVICE_ACCOUNT_DELETION_DAYS: variable(
    wholeNumber(0, ACCOUNT_DELETION_DAYS_MAX),
    ACCOUNT_DELETION_DAYS_DEFAULT,
    String(ACCOUNT_DELETION_DAYS_DEFAULT),
    "days between the request to delete an account and the erasure, in which a mailed link cancels; 0: no such link",
  ),
  SERVICE_ORGANIZATIONS_PER_USER: variable(
    wholeNumber(0, ORGANIZATIONS_PER_USER_MAX),
    ORGANIZATIONS_PER_USER_DEFAULT,
    String(ORGANIZATIONS_PER_USER_DEFAULT),
    "organizations that a user may own before the user can create no further organization (POST /v1/orgs); 0: none",
  ),
  SERVICE_REGISTRATION: variable(
    oneOf(...REGISTRATION_MODES),
    "organization",
    "organization",
    "how users register until an administrator stores settings: `organization`, `personal` (without a team) or " +
      "`invitation` (no user registers)",
  ),
  SERVICE_AUDIT_RETENTION_DAYS: optional(
    wholeNumber(1, 36_500),
    "months of the audit trail that ended this long ago are dropped; unset: kept",
  ),
};
