/** Lifetimes of tickets (docs/contract.md, section 36.6). */
import { EMAIL_VERIFICATION_LIFETIME_MS, PASSWORD_RESET_LIFETIME_MS } from "./credential-limits.ts";

export const TICKET_PURPOSES = ["password_reset", "verify_email", "sign_in"] as const;
export type TicketPurpose = (typeof TICKET_PURPOSES)[number];

const RESET_SECONDS = PASSWORD_RESET_LIFETIME_MS / 1000;
const VERIFICATION_SECONDS = EMAIL_VERIFICATION_LIFETIME_MS / 1000;

/** By purpose, in seconds; a reset and a verification live as long as their links in emails. */
export const TICKET_LIFETIMES: Readonly<
  Record<TicketPurpose, { readonly defaultSeconds: number; readonly maxSeconds: number }>
> = {
  password_reset: { defaultSeconds: RESET_SECONDS, maxSeconds: RESET_SECONDS },
  verify_email: { defaultSeconds: VERIFICATION_SECONDS, maxSeconds: VERIFICATION_SECONDS },
  sign_in: { defaultSeconds: 300, maxSeconds: 3600 },
};
