import type { Bound } from "../../src/limits/bounds.ts";

/** Counted refusals of a bound at a replica; NaN before the first refusal. */
export async function refusalsOf(bound: Bound, url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = new RegExp(`service_bound_refusals_total\\{service_bound="${bound}"[^}]*\\} (\\d+)`).exec(metrics);
  return Number(found?.[1]);
}
