/** The configuration of a product for a registered application or API (docs/contract.md, section 23.35). */
import { type Refusal, refusal } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps } from "../../../deps.ts";
import { clientIdOf, type OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { OAuthResource } from "../../../models/oauth-resource/oauth-resource.ts";
import { findPreset, type ProductSetup, setupOf } from "./product-presets.ts";

type ConfigDeps = Pick<Deps, "config">;

const NO_SETUP = refusal("not_found", "The registration has no product preset.");

/** Undefined: a registration without a preset, or of a preset that this release does not have. */
export function clientSetup({ config }: ConfigDeps, client: OAuthClient): ProductSetup | undefined {
  const preset = client.preset === null ? undefined : findPreset(client.preset, "client");
  const issuer = config.urls.publicBaseUrl;
  return preset && setupOf(preset, { ...client.presetInputs, issuer, client_id: clientIdOf(client) });
}

/** As `clientSetup`, of an API. */
export function resourceSetup({ config }: ConfigDeps, resource: OAuthResource): ProductSetup | undefined {
  const preset = resource.preset === null ? undefined : findPreset(resource.preset, "api");
  return preset && setupOf(preset, { ...resource.presetInputs, issuer: config.urls.publicBaseUrl });
}

/** A set-up for a response. */
export function foundSetup(setup: ProductSetup | undefined): Result<ProductSetup, Refusal<"not_found">> {
  return setup ? ok(setup) : err(NO_SETUP);
}
