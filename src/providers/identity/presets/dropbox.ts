import type { Particulars } from "./particular.ts";

/** Every endpoint of Dropbox's API is a POST. */
export const dropbox: Particulars = { userinfoByPost: true };
