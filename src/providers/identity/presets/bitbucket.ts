import type { Particulars } from "./particular.ts";

interface Address {
  readonly email?: unknown;
  readonly is_primary?: unknown;
  readonly is_confirmed?: unknown;
}

/** The addresses are a second resource (Bitbucket Cloud REST API, "Users"). Only the primary address counts. */
export const bitbucket: Particulars = {
  async convert(claims, read) {
    const { values } = await read("/emails");
    const addresses = Array.isArray(values) ? (values as (Address | null)[]) : [];
    const primary = addresses.find((address) => address?.is_primary === true);
    return { ...claims, email: primary?.email, email_verified: primary?.is_confirmed === true };
  },
};
