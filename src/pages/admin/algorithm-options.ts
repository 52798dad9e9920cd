import { PROVIDER_ALGORITHMS } from "../../vocabulary/provider-algorithm.ts";

/** The options of a select box of algorithms. The names are equal in every language. */
export const ALGORITHM_OPTIONS = Object.fromEntries(PROVIDER_ALGORITHMS.map((name) => [name, name]));
