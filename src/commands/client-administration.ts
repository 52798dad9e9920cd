import type { AdministerClientsDeps } from "../flows/oauth/clients/administer-clients.ts";
import type { AdministerResourcesDeps } from "../flows/oauth/resources/administer-resources.ts";
import type { Foundation } from "../foundation.ts";
import { REVOCATION_STREAM_MAX_ENTRIES } from "../limits/session-limits.ts";
import { REPLICATED_TABLE_STREAM_MAX_ENTRIES } from "../limits/state-limits.ts";
import { OAUTH_CLIENT_STREAM } from "../models/oauth-client/oauth-client.ts";
import { OAUTH_RESOURCE_STREAM } from "../models/oauth-resource/oauth-resource.ts";
import { SESSION_EVENT_STREAM } from "../models/session/revocation.ts";
import { localState } from "../state/local.ts";
import { redisState } from "../state/redis.ts";
import { resilientState } from "../state/resilient.ts";
import type { State } from "../state/state.ts";
import { createLogger } from "../telemetry/log.ts";
import { withFoundation } from "./configured.ts";

const STREAM_LOST = "Redis is unavailable: running replicas learn of the change within five seconds.";

/**
 * Runs the work of a command that changes clients or APIs. A change is announced to the running replicas on the streams
 * that replicas use; without Redis the replicas find the change in PostgreSQL.
 */
export async function withClientAdministration<T>(
  work: (deps: AdministerClientsDeps & AdministerResourcesDeps, foundation: Foundation) => Promise<T>,
): Promise<T> {
  return await withFoundation(async (foundation) => {
    const state = await openState(foundation);
    const deps: AdministerClientsDeps & AdministerResourcesDeps = {
      ...foundation,
      oauthClients: {
        changed: () => state.append(OAUTH_CLIENT_STREAM, "changed", REPLICATED_TABLE_STREAM_MAX_ENTRIES),
      },
      oauthResources: {
        changed: () => state.append(OAUTH_RESOURCE_STREAM, "changed", REPLICATED_TABLE_STREAM_MAX_ENTRIES),
      },
      revocations: {
        async announce(events) {
          if (events.length === 0) return;
          await state.append(SESSION_EVENT_STREAM, JSON.stringify(events), REVOCATION_STREAM_MAX_ENTRIES);
        },
      },
    };
    try {
      return await work(deps, foundation);
    } finally {
      await state.close();
    }
  });
}

async function openState({ config, clock, telemetry }: Foundation): Promise<State> {
  const fallback = localState(clock);
  if (!config.redisUrl) return fallback;
  const log = await createLogger({ level: "silent", pretty: false, traceIds: () => undefined });
  const primary = redisState({ url: config.redisUrl, clock, telemetry, onConnectionError: () => undefined });
  const state = resilientState({ primary, fallback, clock, log });
  await state.connect();
  if (!state.shared) console.error(STREAM_LOST);
  return state;
}
