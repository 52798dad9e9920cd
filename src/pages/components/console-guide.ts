/** Steps of instructions through the console of another product, equal for every kind of connection. */
import type { Texts } from "../texts/catalogue.ts";

export type ConsoleAction =
  /** Opens a place of the console, by the names of its menus. */
  | { readonly kind: "open"; readonly path: readonly string[] }
  | { readonly kind: "select"; readonly field: string; readonly value: string }
  | { readonly kind: "choose"; readonly value: string };

export const open = (...path: readonly string[]): ConsoleAction => ({ kind: "open", path });
export const select = (field: string, value: string): ConsoleAction => ({ kind: "select", field, value });
export const choose = (value: string): ConsoleAction => ({ kind: "choose", value });

export function consoleSentence({ ssoConnections: { guide } }: Texts, action: ConsoleAction): string {
  switch (action.kind) {
    case "open":
      return guide.open({ path: action.path.join(" › ") });
    case "select":
      return guide.select({ field: action.field, value: action.value });
    case "choose":
      return guide.choose({ value: action.value });
  }
}
