import { type InputFlaw, invalidInput } from "../../../base/invalid-input.ts";
import { type Refusal, rateLimited } from "../../../base/problem.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { SAML_KEY_MIN_BITS, SAML_METADATA_MAX_BYTES } from "../../../limits/saml-limits.ts";
import { exceedsWorkerTime } from "../../../pool/saml-pool.ts";
import type { IdpMetadata, SamlMetadataProblem } from "../../../pool/saml-protocol.ts";
import { targetUrlFlaw } from "../../../providers/guarded-post.ts";
import { fetchMetadata } from "../../../providers/saml/fetch-metadata.ts";

export type MetadataDeps = StoreDeps & Pick<Deps, "fetchIdpMetadata" | "samlPool">;

/** Metadata of an identity provider, and the submitted field for refusals. */
export type MetadataSource = { readonly field: string } & ({ readonly xml: string } | { readonly url: string });

export interface MetadataInput {
  readonly organizationId: string;
  readonly source: MetadataSource;
  /** The entity of an aggregate; null: the only entity. */
  readonly entityId: string | null;
}

type MetadataRefusal = Refusal<"invalid_input" | "rate_limited">;

const FLAWS: Readonly<Record<SamlMetadataProblem, InputFlaw>> = {
  too_large: { rule: "too_long", text: `metadata of at most ${SAML_METADATA_MAX_BYTES / 1024} KiB are read` },
  not_xml: { rule: "format", text: "not metadata of SAML 2.0 (XML without a document type)" },
  no_identity_provider: { rule: "format", text: "the metadata describe no identity provider of SAML 2.0" },
  unknown_entity: { rule: "format", text: "the metadata have no identity provider with this entity_id" },
  several_entities: { rule: "format", text: "the metadata have several identity providers; set entity_id" },
  no_sign_on_service: { rule: "format", text: "the metadata have no sign-on service by redirect or POST" },
  no_certificate: { rule: "format", text: "the metadata have no readable certificate for signatures" },
  weak_key: {
    rule: "not_allowed",
    text: `no certificate of the metadata has an RSA key of at least ${SAML_KEY_MIN_BITS} bits`,
  },
  expired: { rule: "format", text: "the metadata have expired (validUntil)" },
};

/** Reads metadata of an identity provider in a worker. Unreadable metadata are a flaw of the submitted field. */
export async function loadMetadata(
  deps: MetadataDeps,
  { organizationId, source, entityId }: MetadataInput,
): Promise<Result<IdpMetadata, MetadataRefusal>> {
  const { field } = source;
  const xml = "xml" in source ? ok(source.xml) : await fetchFrom(deps, source.url);
  if (!xml.ok) return err(invalidInput(field, xml.error.rule, xml.error.text));
  const job = { kind: "metadata", xml: xml.value, entityId, now: deps.clock.now() } as const;
  const result = await deps.samlPool.run(job, organizationId);
  if (result.ok && result.kind === "metadata") return ok(result.metadata);
  if ("kind" in result) {
    if (result.kind !== "metadata" || result.ok) throw new Error("the worker returned the result of another job");
    const { rule, text } = FLAWS[result.problem];
    return err(invalidInput(field, rule, text));
  }
  if (result.code !== "worker_died" && !exceedsWorkerTime(result)) {
    return err(rateLimited("saml_queue", deps.samlPool.secondsToDrain(), "the queue of the workers is full"));
  }
  return err(invalidInput(field, FLAWS.too_large.rule, "the metadata were not read in time"));
}

async function fetchFrom(
  { config, fetchIdpMetadata }: Pick<MetadataDeps, "config" | "fetchIdpMetadata">,
  url: string,
): Promise<Result<string, InputFlaw>> {
  const flaw = targetUrlFlaw(config.webhooks, url);
  if (flaw) return err(flaw);
  const fetched = await fetchMetadata(fetchIdpMetadata, url);
  return fetched.ok ? fetched : err({ rule: "format", text: `the metadata cannot be loaded: ${fetched.error.cause}` });
}
