import * as oauth from "oauth4webapi";
import { IDENTITY_DISCOVERY_MAX_AGE_MS } from "../../limits/provider-limits.ts";
import { type Metadata, readMetadata } from "../identity/read-metadata.ts";
import { step } from "./openid-failure.ts";
import { callOptions, type OpenidPartyOptions } from "./openid-options.ts";

/** Reads the metadata on demand. Concurrent calls share one read; a failure is not kept. */
export function cachedMetadata(options: OpenidPartyOptions): () => Promise<Metadata> {
  const { clock } = options;
  let cached: { readonly metadata: Metadata; readonly readAt: number } | undefined;
  let reading: Promise<Metadata> | undefined;
  return async () => {
    if (cached && clock.monotonic() - cached.readAt < IDENTITY_DISCOVERY_MAX_AGE_MS) return cached.metadata;
    reading ??= step("discovery", () => readMetadata(options.issuer, callOptions(options)[oauth.customFetch])).finally(
      () => {
        reading = undefined;
      },
    );
    const metadata = await reading;
    cached = { metadata, readAt: clock.monotonic() };
    return metadata;
  };
}
