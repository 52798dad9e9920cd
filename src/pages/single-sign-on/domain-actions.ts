/** The parts of the actions on domains that the pages of an organization and of a set-up link share. */
import type { Refusal } from "../../base/problem.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { type CheckedDomain, checkResultOf } from "../../flows/organization-domains/check-domain.ts";
import type { FormState } from "../components/form.tsx";
import type { Fields } from "../fields.ts";
import type { View } from "../view.tsx";

export type DomainActionDeps = EmailDeps & Pick<Deps, "domainDirectory" | "reads" | "ssoDirectory" | "txtResolver">;

/** The result of a check that was requested on the page. */
export interface CheckedView {
  readonly id: string;
  readonly found: readonly string[];
  readonly result: "verified" | "waiting" | "missing" | "noResponse";
}

/** The result of a check, beside the domain. */
export function checkedView(checked: CheckedDomain): CheckedView {
  return { id: checked.domain.id, found: checked.found, result: checkResultOf(checked) };
}

/** The form of a refused domain; undefined for a refusal that the form does not display. */
export function refusedDomain(
  { t: { singleSignOn: t } }: View,
  fields: Fields,
  refused: Refusal,
): FormState | undefined {
  const isForm = refused.code === "conflict" || refused.code === "invalid_input";
  if (!isForm) return undefined;
  const text = refused.code === "conflict" ? t.alreadyAdded : flawText(refused, t);
  return { values: { domain: fields.text("domain") }, errors: { domain: text } };
}

function flawText({ fields }: Refusal, t: { readonly notAccepted: string; readonly domainHint: string }): string {
  return fields?.some(({ rule }) => rule === "not_allowed") ? t.notAccepted : t.domainHint;
}
