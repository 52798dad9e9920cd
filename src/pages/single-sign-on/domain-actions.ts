/** The actions on domains, of the page of an organization and of a set-up link. */
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, EmailDeps } from "../../deps.ts";
import { type CheckedDomain, checkResultOf } from "../../flows/organization-domains/check-domain.ts";
import { claimDomain } from "../../flows/organization-domains/claim.ts";
import { verifyDomain } from "../../flows/organization-domains/verify.ts";
import type { ResponsibleCaller } from "../../flows/steps/authorization/authorize-member.ts";
import type { FormState } from "../components/form.tsx";
import { NOTHING_THERE, type PageCall, uuidIn } from "../page.ts";
import type { View } from "../view.tsx";

export type DomainActionDeps = EmailDeps & Pick<Deps, "domainDirectory" | "reads" | "ssoDirectory" | "txtResolver">;

/** The result of a check that was requested on the page. */
export interface CheckedView {
  readonly id: string;
  readonly found: readonly string[];
  readonly result: "verified" | "waiting" | "missing" | "noResponse";
}

/** Executes the action of the pressed button; returns the result to display, or the checked domain. */
export async function addOrCheckDomain(
  deps: DomainActionDeps,
  { form, client }: Pick<PageCall, "form" | "client">,
  caller: ResponsibleCaller,
): Promise<Result<"added" | CheckedView, Refusal>> {
  if (form.text("step") === "add") {
    const claimed = await claimDomain(deps, { caller, domain: form.text("domain"), client });
    return claimed.ok ? ok("added") : claimed;
  }
  if (form.text("step") !== "check") return err(NOTHING_THERE);
  const checked = await verifyDomain(deps, { caller, domainId: uuidIn(form.text("id")), client });
  return checked.ok ? ok(checkedView(checked.value)) : checked;
}

/** The result of a check, beside the domain. */
export function checkedView(checked: CheckedDomain): CheckedView {
  return { id: checked.domain.id, found: checked.found, result: checkResultOf(checked) };
}

/** The form of a refused domain; undefined for a refusal that the form does not display. */
export function refusedDomain(
  { t: { singleSignOn: t } }: View,
  { form }: Pick<PageCall, "form">,
  refused: Refusal,
): FormState | undefined {
  const isForm = refused.code === "conflict" || refused.code === "invalid_input";
  if (form.text("step") !== "add" || !isForm) return undefined;
  const text = refused.code === "conflict" ? t.alreadyAdded : flawText(refused, t);
  return { values: { domain: form.text("domain") }, errors: { domain: text } };
}

function flawText({ fields }: Refusal, t: { readonly notAccepted: string; readonly domainHint: string }): string {
  return fields?.some(({ rule }) => rule === "not_allowed") ? t.notAccepted : t.domainHint;
}
