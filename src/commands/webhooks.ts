import { defineCommand } from "citty";
import { systemClock } from "../base/clock.ts";
import { isUuid, systemRandom } from "../base/random.ts";
import { LATEST, readEvents } from "../flows/webhooks/events.ts";
import { WEBHOOK_EVENTS_PAGE_MAX, WEBHOOK_LISTEN_DEADLINE_MS } from "../limits/machine-limits.ts";
import { makeWebhookSecret } from "../models/webhook/webhook-signature.ts";
import { withFoundation } from "./configured.ts";
import { type EventReading, forwardEvents, localTarget, RefusedReading } from "./forward-events.ts";

const DESCRIPTION = "Forward the events of a local service, or of a webhook with an API key, to a local port";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const POSITIVE = /^[1-9]\d{0,8}$/;

export const listenWebhooksCommand = defineCommand({
  meta: { name: "listen", description: DESCRIPTION },
  args: {
    "forward-to": { type: "string", description: "Local receiver: 4000, localhost:4000/path or a URL" },
    events: { type: "string", description: "Event types, separated by commas (default: *)" },
    organization: { type: "string", description: "Organization (default: all, or the webhook of the platform)" },
    secret: { type: "string", description: "Signing secret (default: a new one, printed)" },
    count: { type: "string", description: "End after so many events (default: none, end with Ctrl-C)" },
    service: { type: "string", description: "API of another service, such as https://id.example.com/v1" },
    webhook: { type: "string", description: "With --service: the webhook whose events are read" },
    "api-key": { type: "string", description: "With --service: a key with the scope audit.read" },
  },
  async run({ args }) {
    process.exitCode = await listen(args as ListenArgs);
  },
});

interface ListenArgs {
  readonly "forward-to"?: string;
  readonly events?: string;
  readonly organization?: string;
  readonly secret?: string;
  readonly count?: string;
  readonly service?: string;
  readonly webhook?: string;
  readonly "api-key"?: string;
}

/** Returns the exit code. */
async function listen(args: ListenArgs): Promise<number> {
  const problem = wrongArgument(args);
  const target = localTarget(args["forward-to"] ?? "");
  if (problem !== undefined || target === undefined) {
    console.error(problem ?? "--forward-to: a port, or an address of this machine such as localhost:4000/webhooks.");
    return 2;
  }
  const count = args.count === undefined ? Number.POSITIVE_INFINITY : Number(args.count);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const shared = { target, count, signal: stop.signal, print: (line: string) => console.log(line) };
  if (args.service !== undefined) {
    const secret = args.secret ?? makeWebhookSecret(systemRandom(systemClock));
    return await forwardEvents({ ...shared, secret, signer: undefined, read: readingByKey(args) });
  }
  return await withFoundation(async (foundation) => {
    const secret = args.secret ?? makeWebhookSecret(foundation.random);
    const source = { organizationId: args.organization ?? null, eventTypes: (args.events ?? "*").split(",") };
    const read: EventReading = async (after) =>
      await readEvents(foundation, source, after ?? LATEST, WEBHOOK_EVENTS_PAGE_MAX);
    return await forwardEvents({ ...shared, secret, signer: foundation.webhookSigner, read });
  });
}

function wrongArgument(args: ListenArgs): string | undefined {
  const { organization, secret, count, service, webhook } = args;
  if (organization !== undefined && !isUuid(organization)) return "--organization: an id of an organization.";
  if (secret !== undefined && !SECRET.test(secret)) return "--secret: whsec_ and the base64 of 32 bytes.";
  if (count !== undefined && !POSITIVE.test(count)) return "--count: a number.";
  if (service === undefined) {
    return webhook === undefined && args["api-key"] === undefined ? undefined : "--webhook, --api-key: with --service.";
  }
  if (!/^https?:/.test(service) || !URL.canParse(service))
    return "--service: a URL, such as https://id.example.com/v1.";
  if (webhook === undefined || !isUuid(webhook) || !args["api-key"]) return "--service needs --webhook and --api-key.";
  return args.events === undefined ? undefined : "--events: the webhook has event types of its own.";
}

/** Reads the events of a webhook by the API, with a key (docs/contract.md, section 26.7). */
function readingByKey({ service = "", organization, webhook, "api-key": key }: ListenArgs): EventReading {
  const home = organization === undefined ? "/admin" : `/orgs/${organization}`;
  const base = `${service.replace(/\/+$/, "")}${home}/webhooks/${webhook}/events`;
  return async (after = LATEST) => {
    const response = await fetch(`${base}?after=${after}&limit=${WEBHOOK_EVENTS_PAGE_MAX}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(WEBHOOK_LISTEN_DEADLINE_MS),
    });
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      throw new RefusedReading(`The service refused the key or the webhook: ${response.status}.`);
    }
    if (!response.ok) throw new Error(`the service responded with ${response.status}`);
    const { items, cursor } = (await response.json()) as EventsResponse;
    const events = items.map(({ event_id: eventId, event_type: eventType, payload }) => ({
      eventId,
      eventType,
      payload,
    }));
    return { events, cursor };
  };
}

interface EventsResponse {
  readonly items: readonly { readonly event_id: string; readonly event_type: string; readonly payload: string }[];
  readonly cursor: string;
}
