/** A journey from its first page to the last. */
import type { Language } from "../../src/vocabulary/languages.ts";
import type { Demo } from "../page-states/demo.ts";
import type { Journey } from "./journeys.ts";
import { LargeReader } from "./large-reader.ts";

interface Options {
  readonly language?: Language;
  readonly pictures?: string | undefined;
}

/** Returns what the reader of the journey could not read or reach. */
export async function findingsOf(demo: Demo, journey: Journey, options: Options = {}): Promise<string[]> {
  const visit = await LargeReader.at(demo.origin, options);
  const { name, viewer } = journey;
  if (viewer) await visit.reader.become(demo.people[viewer]);
  try {
    await journey.run(demo, visit, () => visit.look(name));
  } catch (error) {
    visit.found.push(`${name} ended at ${visit.reader.path}: ${error}`);
  }
  await visit.close();
  return visit.found;
}
