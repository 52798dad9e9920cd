/** Lists of addresses in a form, with one address per line. */
import { type AddressKind, addressProblems } from "../../../flows/oauth/authorize/address-problems.ts";
import type { View } from "../../view.tsx";

export const LISTS = ["redirect_uris", "post_logout_redirect_uris", "resources", "audiences"] as const;

/** Neither an address nor a scope has white space. */
export function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The error of every list with a wrong address: the number of the line, and the reason. */
export function addressErrors(view: View, values: Readonly<Record<string, string>>): Record<string, string> {
  const redirects: AddressKind = values.application_type === "native" ? "native" : "web";
  const errors = LISTS.map((name) => {
    const kind = name === "resources" || name === "audiences" ? "resource" : redirects;
    return [name, linesOf(view, values[name] ?? "", kind).join("\n")] as const;
  });
  return Object.fromEntries(errors.filter(([, error]) => error !== ""));
}

function linesOf({ t, dates, site }: View, text: string, kind: AddressKind): readonly string[] {
  const lines = text.split(/\r?\n/).flatMap((line, index) => wordsIn(line).map((address) => ({ address, index })));
  const problems = addressProblems(
    lines.map(({ address }) => address),
    kind,
    site.config.oauth.privateHttp,
  );
  return problems.flatMap((problem, position) => {
    const line = dates.number((lines[position]?.index ?? 0) + 1);
    return problem ? [t.clients.lineError({ line, reason: t.clients.addressProblems[problem] })] : [];
  });
}
