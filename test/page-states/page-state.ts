/** A page in a state that pictures and checks display. */
import type { PagePath } from "../support/page-list.ts";
import type { Reader } from "../support/pages.ts";
import type { Demo, Viewer } from "./demo.ts";

export interface PageState {
  readonly page: PagePath;
  /** Name of the picture. */
  readonly name: string;
  readonly viewer: Viewer;
  /** The address to open. */
  readonly path: (demo: Demo) => string;
  /** Status of the displayed page. */
  readonly status: number;
  /** Leads from the address to the state. */
  readonly arrive: (reader: Reader, demo: Demo) => Promise<unknown>;
}

type Arrival = PageState["arrive"];
type StatePath = string | PageState["path"];

/** Builds states of one viewer. A path without a function is the path of the page. */
export function statesOf(viewer: Viewer) {
  return (
    page: PagePath,
    name: string,
    path: StatePath = page,
    arrive: Arrival = async () => undefined,
  ): PageState => ({
    page,
    name,
    viewer,
    status: 200,
    path: typeof path === "string" ? () => path : path,
    arrive,
  });
}

/** The state is a page that refuses a request. */
export const refused = (status: number, state: PageState): PageState => ({ ...state, status });
