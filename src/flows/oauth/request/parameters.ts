import { type OAuthRefusal, oauthRefusal } from "../../../base/oauth-problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { ASSERTION_MAX_CHARACTERS } from "../../../limits/federation-limits.ts";
import { OAUTH_PARAMETERS_MAX_CHARACTERS } from "../../../limits/oauth-limits.ts";

/** Only `resource` may occur several times (RFC 8707, section 2). */
const REPEATABLE = new Set(["resource"]);

/** The tokens of workloads are longer than every further parameter, and have a bound of their own. */
const ASSERTION = "client_assertion";

/** The parameters of a request, at most one value for every name. */
export interface Parameters {
  /** Undefined for a missing or an empty parameter, which are equivalent (RFC 6749, section 3.1). */
  one(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Parameters of a query or a form. Duplicates, and parameters beyond the total bound, are `invalid_request`. */
export function readParameters(search: URLSearchParams): Result<Parameters, OAuthRefusal<"invalid_request">> {
  const values = new Map<string, string[]>();
  let [characters, assertionCharacters, isRepeated] = [0, 0, false];
  // Without an array for each parameter, as the iterator returns.
  search.forEach((value, name) => {
    if (name === ASSERTION) assertionCharacters += value.length;
    else characters += name.length + value.length;
    const earlier = values.get(name);
    isRepeated ||= earlier !== undefined && !REPEATABLE.has(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  });
  if (isRepeated) return err(oauthRefusal("invalid_request", "A parameter is included more than once."));
  if (characters > OAUTH_PARAMETERS_MAX_CHARACTERS || assertionCharacters > ASSERTION_MAX_CHARACTERS) {
    return err(oauthRefusal("invalid_request", `The parameters exceed ${OAUTH_PARAMETERS_MAX_CHARACTERS} characters.`));
  }
  return ok({
    one: (name) => values.get(name)?.[0] || undefined,
    all: (name) => withoutEmpty(values.get(name) ?? []),
  });
}

/** The first value of each parameter, for the display of a refused request. */
export function parametersOf(search: URLSearchParams): Parameters {
  return {
    one: (name) => search.get(name) || undefined,
    all: (name) => withoutEmpty(search.getAll(name)),
  };
}

function withoutEmpty(values: readonly string[]): readonly string[] {
  return values.filter((value) => value !== "");
}
