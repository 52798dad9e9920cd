/** Pages import no values of models (npm run arrows), so the filter of the console reads the list here. */
export { AUDIT_ACTIONS } from "../../models/audit/audit.ts";
export { SIGN_INS } from "../../models/audit/audit-log.ts";
