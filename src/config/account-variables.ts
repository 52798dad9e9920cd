/** The variables of accounts. */
import { ACCOUNT_DELETION_DAYS_DEFAULT, ACCOUNT_DELETION_DAYS_MAX } from "../limits/deletion-limits.ts";
import { wholeNumber } from "./parsers.ts";
import { variable } from "./variable.ts";

export const ACCOUNT_VARIABLES = {
  SERVICE_ACCOUNT_DELETION_DAYS: variable(
    wholeNumber(0, ACCOUNT_DELETION_DAYS_MAX),
    ACCOUNT_DELETION_DAYS_DEFAULT,
    String(ACCOUNT_DELETION_DAYS_DEFAULT),
    "days between the request to delete an account and the erasure, in which a mailed link cancels; 0: no such link",
  ),
};
