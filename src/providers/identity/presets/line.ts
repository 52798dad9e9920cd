import type { Particulars } from "./particular.ts";

/** LINE signs ID tokens of web applications with the channel secret. */
export const line: Particulars = { signsBySecret: true };
