import type { Particulars } from "./particular.ts";

export const zoom: Particulars = {
  convert: (claims) => ({ ...claims, verified: claims.verified === 1 }),
};
