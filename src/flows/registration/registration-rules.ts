import { type FieldFlaw, hasFlaws, type InputFlaw, invalidFields } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { REGISTRATION_DOMAINS_MAX } from "../../limits/registration-limits.ts";
import { validateMailDomain } from "../../models/organization-domain/domain-name.ts";
import { REGISTRATION_METHODS, type StoredRegistration } from "../../vocabulary/registration.ts";

const NO_METHOD: InputFlaw = { rule: "too_short", text: "at least one method" };
const TOO_MANY: InputFlaw = { rule: "too_long", text: `at most ${REGISTRATION_DOMAINS_MAX} domains` };
const SUB_DOMAINS = "*.";

/** Validates settings, and returns the stored form: domains as A-labels in lower case, without repetitions. */
export function validateRegistration(
  settings: StoredRegistration,
): Result<StoredRegistration, Refusal<"invalid_input">> {
  const { mode, methods, link } = settings;
  const flaws: FieldFlaw[] = methods?.length === 0 ? [{ field: "methods", ...NO_METHOD }] : [];
  const domainsOf = (field: string, given: readonly string[] | undefined): readonly string[] | undefined => {
    if (given === undefined) return undefined;
    const domains = validateDomains(given);
    if (domains.ok) return domains.value;
    flaws.push({ field, ...domains.error });
    return undefined;
  };
  const allowedDomains = domainsOf("allowed_domains", settings.allowedDomains);
  const blockedDomains = domainsOf("blocked_domains", settings.blockedDomains);
  if (hasFlaws(flaws)) return err(invalidFields(flaws));
  return ok({
    mode,
    ...(methods && { methods: REGISTRATION_METHODS.filter((method) => methods.includes(method)) }),
    ...(allowedDomains && { allowedDomains }),
    ...(blockedDomains && { blockedDomains }),
    ...(link === undefined ? {} : { link }),
  });
}

/** A domain, or `*.` and a domain for every sub-domain. */
function validateDomains(given: readonly string[]): Result<readonly string[], InputFlaw> {
  if (given.length > REGISTRATION_DOMAINS_MAX) return err(TOO_MANY);
  const stored = new Set<string>();
  for (const text of given) {
    const prefix = text.startsWith(SUB_DOMAINS) ? SUB_DOMAINS : "";
    const domain = validateMailDomain(text.slice(prefix.length));
    if (!domain.ok) return domain;
    stored.add(prefix + domain.value);
  }
  return ok([...stored]);
}
