import { objectIn, type Particulars } from "./particular.ts";

/** `confirmed_email` is absent for an address that the user has not confirmed. */
export const x: Particulars = {
  convert: (claims) => ({ ...claims, email_verified: typeof objectIn(claims, "data").confirmed_email === "string" }),
};
