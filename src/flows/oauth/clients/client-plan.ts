/** The difference between the registered clients and a set of `clients apply` (docs/contract.md, section 19.6). */
import { isDeepStrictEqual } from "node:util";
import type { FieldFlaw } from "../../../base/invalid-input.ts";
import { NIL_UUID } from "../../../base/random.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { OAUTH_CLIENTS_MAX } from "../../../limits/oauth-limits.ts";
import type { NewClient, OAuthClient } from "../../../models/oauth-client/oauth-client.ts";
import type { ClientSettings } from "./client-change.ts";
import { validateClient } from "./client-rules.ts";
import type { AddressPermits } from "./protection-rules.ts";

/** A client of the file. */
export interface DesiredClient {
  /** Undefined: the client of the set with this name. */
  readonly id: string | undefined;
  /** Complete: a member that the file omits has the default of a new client. */
  readonly settings: ClientSettings;
  /** Undefined keeps the state, so a client disabled during an incident stays disabled. */
  readonly disabled: boolean | undefined;
}

/** The clients of a file. Only clients of the set can be deleted by the file. */
export interface ClientSet {
  readonly name: string;
  readonly clients: readonly DesiredClient[];
}

type Setting = keyof ClientSettings | "disabled";

export interface Difference {
  readonly setting: Setting;
  readonly before: unknown;
  readonly after: unknown;
}

export interface ClientCreation {
  readonly action: "create";
  readonly desired: DesiredClient;
}
export interface ClientUpdate {
  readonly action: "update";
  readonly client: OAuthClient;
  readonly differences: readonly Difference[];
}
export interface ClientDeletion {
  readonly action: "delete";
  readonly client: OAuthClient;
}
export type PlanStep = ClientCreation | ClientUpdate | ClientDeletion;

export interface ClientPlan {
  /** Creations and updates in the order of the file, then deletions. */
  readonly steps: readonly PlanStep[];
  readonly unchanged: number;
  /** Clients of the set without an entry in the file. Without `prune` the clients remain. */
  readonly unlisted: readonly OAuthClient[];
}

/** A client of the file with normalized settings, and the registered client, if the client exists. */
interface Match {
  readonly path: string;
  readonly desired: DesiredClient;
  readonly registered: OAuthClient | undefined;
  readonly flaws: readonly FieldFlaw[];
}

/** Compares all clients with the set. Returns all flaws of the file, with the path of each. */
export function planClients(
  permits: AddressPermits,
  registered: readonly OAuthClient[],
  set: ClientSet,
  prune: boolean,
): Result<ClientPlan, readonly FieldFlaw[]> {
  const matches = set.clients.map((desired, index) =>
    matchClient(permits, registered, set.name, desired, `clients.${index}`),
  );
  const flaws = [
    ...matches.flatMap((match) => [...match.flaws, ...ownerFlaws(registered, set.name, match)]),
    ...duplicateFlaws(matches),
    ...countFlaws(registered, matches),
  ];
  if (flaws.length > 0) return err(flaws);
  const changes = matches.map(stepOf).filter((step) => step !== undefined);
  const listed = new Set(matches.map((match) => match.registered?.id));
  const unlisted = registered.filter(({ id, managedBy }) => managedBy === set.name && !listed.has(id));
  const deletions = prune ? unlisted.map((client) => ({ action: "delete", client }) as const) : [];
  return ok({ steps: [...changes, ...deletions], unchanged: matches.length - changes.length, unlisted });
}

function matchClient(
  permits: AddressPermits,
  registered: readonly OAuthClient[],
  set: string,
  { id, settings, disabled }: DesiredClient,
  path: string,
): Match {
  const at = new Date(0);
  const fixed = { kind: "registered", id: id ?? NIL_UUID, createdAt: at, updatedAt: at } as const;
  const candidate: NewClient = { ...settings, ...fixed, managedBy: set };
  const valid = validateClient(candidate, permits);
  const {
    id: _id,
    kind: _kind,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...normalized
  } = valid.ok ? valid.value : candidate;
  return {
    path,
    desired: { id, settings: normalized, disabled },
    registered: registered.find((client) =>
      id === undefined ? client.managedBy === set && client.name === normalized.name : client.id === id,
    ),
    flaws: valid.ok ? [] : valid.error.map((flaw) => ({ ...flaw, path: `${path}.${flaw.path ?? flaw.field}` })),
  };
}

/** A name alone never takes over a client: an application of the name may belong to a different team. */
function ownerFlaws(all: readonly OAuthClient[], set: string, match: Match): readonly FieldFlaw[] {
  const { path, desired, registered } = match;
  const conflict = (text: string): readonly FieldFlaw[] => [
    { field: "client_id", rule: "conflicting", path: `${path}.client_id`, text },
  ];
  if (registered) {
    const { managedBy } = registered;
    return managedBy === null || managedBy === set ? [] : conflict(`the set ${managedBy} manages the application`);
  }
  const { name } = desired.settings;
  const namesakes = desired.id === undefined ? all.filter((client) => client.name === name) : [];
  const ids = namesakes.map(({ id }) => id).join(", ");
  return namesakes.length === 0 ? [] : conflict(`is required: an application outside of the set has the name (${ids})`);
}

/** Two entries for one client. */
function duplicateFlaws(matches: readonly Match[]): readonly FieldFlaw[] {
  const keys = matches.map(
    ({ desired, registered }) => registered?.id ?? desired.id ?? `name ${desired.settings.name}`,
  );
  const repeated = matches.filter((_, index) => keys.indexOf(keys[index] ?? "") < index);
  return repeated.map(({ path, desired }) => {
    const field = desired.id === undefined ? "name" : "client_id";
    return { field, rule: "conflicting", path: `${path}.${field}`, text: "a second entry for the application" };
  });
}

/** Deletions come last, so clients to be deleted count too. */
function countFlaws(all: readonly OAuthClient[], matches: readonly Match[]): readonly FieldFlaw[] {
  const created = matches.filter(({ registered }) => !registered).length;
  return created > 0 && all.length + created > OAUTH_CLIENTS_MAX
    ? [{ field: "clients", rule: "too_long", text: `more than ${OAUTH_CLIENTS_MAX} applications` }]
    : [];
}

function stepOf({ desired, registered }: Match): PlanStep | undefined {
  if (!registered) return { action: "create", desired };
  const differences = differencesOf(registered, desired);
  return differences.length > 0 ? { action: "update", client: registered, differences } : undefined;
}

function differencesOf(client: OAuthClient, { settings, disabled }: DesiredClient): readonly Difference[] {
  // Without a product in the file the preset of the registration stays.
  const { preset, presetInputs } = settings.preset === null ? client : settings;
  const target = { ...settings, preset, presetInputs, disabled: disabled ?? client.disabled };
  return (Object.keys(target) as Setting[])
    .filter((setting) => !isDeepStrictEqual(client[setting], target[setting]))
    .map((setting) => ({ setting, before: client[setting], after: target[setting] }));
}
