import { SCIM_OMISSIONS_MAX } from "../../../limits/directory-limits.ts";

/**
 * What an accepted request named and the service left out, for the record of the request: names and reasons, without
 * values. A request has one instance.
 */
export class Omissions {
  readonly #texts = new Set<string>();
  /** The request ends the access of a user: owners learn of a refusal. */
  deactivates = false;

  add(name: string, reason: string): void {
    if (this.#texts.size < SCIM_OMISSIONS_MAX) this.#texts.add(`${name}: ${reason}`);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** One sentence for administrators. */
  get text(): string {
    return [...this.#texts].join("; ");
  }
}
