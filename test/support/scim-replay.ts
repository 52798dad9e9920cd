/** The replay of a cycle of a directory product. */
import { expect } from "bun:test";
import type { ScimClient } from "./directories.ts";
import type { CycleStep } from "./scim-cycles.ts";

export interface ReplayOptions {
  /** Whether every request is sent twice. */
  readonly isRepeated?: boolean;
}

/** Sends the requests in order and compares the responses; returns the ids of the created resources. */
export async function replayCycle(
  name: string,
  steps: readonly CycleStep[],
  scim: ScimClient,
  { isRepeated = false }: ReplayOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\{(user|other|group)\}/g, (_, key: string) => ids[key] ?? "");
  for (const { section = name, request, status, saves, expected = {} } of steps) {
    const [method, path, body, headers] = request;
    const sent = body === undefined ? undefined : filled(JSON.stringify(body));
    const send = async () => await scim(method, filled(path), sent, headers);
    const response = await send();
    expect([section, method, path, response.status]).toEqual([section, method, path, status]);
    if (saves) ids[saves] = response.body.id;
    const members = Object.entries(expected);
    const absent = members.flatMap(([member, value]) => (value === undefined ? [member] : []));
    expect([section, absent.filter((each) => each in response.body)]).toEqual([section, []]);
    const present = members.filter(([, value]) => value !== undefined);
    expect(response.body ?? {}).toMatchObject(JSON.parse(filled(JSON.stringify(Object.fromEntries(present)))));
    if (!isRepeated) continue;
    const repeated = status === 201 ? 409 : method === "DELETE" ? 404 : status;
    expect([section, method, path, (await send()).status]).toEqual([section, method, path, repeated]);
  }
  return ids;
}
