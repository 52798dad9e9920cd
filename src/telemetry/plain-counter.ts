import type { Attributes, Meter } from "@opentelemetry/api";

/** Counts one event, or several. `key`: stands for the attributes, which are created with the series. */
export type PlainCounter = (key: string, attributes: () => Attributes, count?: number) => void;

/**
 * A counter in plain numbers, which the SDK reads at each collection: the counter of the SDK sorts and encodes the
 * attributes of every event. Keys come from closed sets.
 */
export function plainCounter(meter: Meter, name: string, description: string, unit: string): PlainCounter {
  const series = new Map<string, { readonly attributes: Attributes; count: number }>();
  meter.createObservableCounter(name, { description, unit }).addCallback((result) => {
    for (const { attributes, count } of series.values()) result.observe(count, attributes);
  });
  return (key, attributes, count = 1) => {
    const known = series.get(key);
    if (known) known.count += count;
    else series.set(key, { attributes: attributes(), count });
  };
}
