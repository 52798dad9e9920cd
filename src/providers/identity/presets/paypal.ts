import type { Particulars } from "./particular.ts";

/** The schema `paypalv1.1` names the subject `user_id`. */
export const paypal: Particulars = {
  convert: (claims) => ({ ...claims, sub: claims.sub ?? claims.user_id }),
};
