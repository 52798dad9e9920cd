import { objectIn, type Particulars } from "./particular.ts";

/** An address is verified if the address is valid, and verified: an invalid address belongs to another account now. */
export const kakao: Particulars = {
  convert(claims) {
    const account = objectIn(claims, "kakao_account");
    const isVerified = account.is_email_valid === true && account.is_email_verified === true;
    const sub = Number.isSafeInteger(claims.id) ? String(claims.id) : undefined;
    return { ...claims, sub, kakao_account: { ...account, email_verified: isVerified } };
  },
};
