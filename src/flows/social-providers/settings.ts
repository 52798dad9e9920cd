import { hasFlaws, invalidFields, invalidInput } from "../../base/invalid-input.ts";
import type { Refusal } from "../../base/problem.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Deps, StoreDeps } from "../../deps.ts";
import { PROVIDER_SECRET_MAX_BYTES, PROVIDER_SECRET_MIN_CHARACTERS } from "../../limits/provider-limits.ts";
import { normalizeSocialConfig, socialConfigFlaws } from "../../models/social-provider/config-rules.ts";
import { sealSocialSecret } from "../../models/social-provider/social-provider.ts";
import { targetUrlFlaw } from "../../providers/guarded-post.ts";
import type { SocialProviderConfig } from "../../vocabulary/social-provider-config.ts";

/** The settings in stored form, or all their flaws (docs/contract.md, section 15.5). */
export function validatedConfig(
  { config: { webhooks } }: Pick<StoreDeps, "config">,
  config: SocialProviderConfig,
  hasSecret: boolean,
): Result<SocialProviderConfig, Refusal<"invalid_input">> {
  const stored = normalizeSocialConfig(config);
  const flaws = socialConfigFlaws(stored, { hasSecret, urlFlaw: (url) => targetUrlFlaw(webhooks, url) });
  return hasFlaws(flaws) ? err(invalidFields(flaws)) : ok(stored);
}

export type SealedSecret = "keep" | "clear" | { readonly sealed: Buffer; readonly keyId: string };

const CONTROL = /\p{Cc}/u;

/** The change of the stored secret. The message of a problem never repeats the secret. */
export function sealedChange(
  deps: Pick<Deps, "configKeys" | "random">,
  provider: string,
  { secret, clearSecret }: { readonly secret: string | undefined; readonly clearSecret: boolean },
): Result<SealedSecret, Refusal<"invalid_input">> {
  if (secret === undefined) return ok(clearSecret ? "clear" : "keep");
  if (clearSecret) return err(invalidInput("secret", "conflicting", "must be absent when clear_secret is true"));
  if (secret.length < PROVIDER_SECRET_MIN_CHARACTERS) {
    return err(invalidInput("secret", "too_short", `at least ${PROVIDER_SECRET_MIN_CHARACTERS} characters`));
  }
  if (Buffer.byteLength(secret) > PROVIDER_SECRET_MAX_BYTES) {
    return err(invalidInput("secret", "too_long", `at most ${PROVIDER_SECRET_MAX_BYTES} bytes`));
  }
  if (CONTROL.test(secret)) return err(invalidInput("secret", "format", "printable characters only"));
  const key = deps.configKeys.current;
  if (!key) return err(invalidInput("secret", "not_allowed", "cannot be stored while SERVICE_CONFIG_KEY is unset"));
  return ok({ sealed: sealSocialSecret(deps, key, provider, secret), keyId: key.id });
}
