import type { Particulars } from "./particular.ts";

export const notion: Particulars = { userinfoHeaders: { "notion-version": "2022-06-28" } };
