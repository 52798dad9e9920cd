/** The variables of periods after which data is erased. */
import { ACCOUNT_DELETION_DAYS_DEFAULT, ACCOUNT_DELETION_DAYS_MAX } from "../limits/deletion-limits.ts";
import { wholeNumber } from "./parsers.ts";
import { optional, variable } from "./variable.ts";

export const ACCOUNT_VARIABLES = {
  SERVICE_ACCOUNT_DELETION_DAYS: variable(
    wholeNumber(0, ACCOUNT_DELETION_DAYS_MAX),
    ACCOUNT_DELETION_DAYS_DEFAULT,
    String(ACCOUNT_DELETION_DAYS_DEFAULT),
    "days between the request to delete an account and the erasure, in which a mailed link cancels; 0: no such link",
  ),
  SERVICE_AUDIT_RETENTION_DAYS: optional(
    wholeNumber(1, 36_500),
    "months of the audit trail that ended this long ago are dropped; unset: kept",
  ),
};
