import { createHash } from "node:crypto";
import { canonicalize } from "../clients/js/src/audit/jcs.ts";
import { GrowingTree, leafHash, nodeHash, sameBytes } from "../clients/js/src/audit/merkle.ts";
import type { OrganizationRange } from "../src/pool/protocol.ts";

type Kind = "line" | "left_out" | "other" | "nobody";

interface Subtree {
  readonly leaf: number;
  readonly level: number;
  readonly hash: Uint8Array;
}

const ENTRY = /^(\d+) (-?\d+) ([A-Za-z0-9+/=]{44}) (line|left_out|other|nobody)(?: (.+))?$/s;
const encoder = new TextEncoder();
const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

/**
 * Writes the proof of one organization's export from the entries of all leaves of the range: leaves of the organization
 * individually, the remaining leaves as the fewest subtrees, of which only hashes are revealed. Memory holds a single
 * subtree for each level.
 */
export class OrganizationProof {
  readonly #border: number | null;
  /** The hashes of the organization's leaves. */
  readonly #own = new GrowingTree(sha256);
  readonly #counts: Record<Kind, number> = { line: 0, left_out: 0, other: 0, nobody: 0 };
  #run: Subtree[] = [];
  #runKind: "other" | "nobody" = "other";
  #first: number | undefined;
  #next = 0;

  /** `border`: a number of leaves; no subtree crosses the border. */
  constructor(border: number | null) {
    this.#border = border;
  }

  /** The lines of the proof completed by an entry. Throws for an entry out of order. */
  entry(text: string): string {
    const [, leafText, id, encoded = "", found, record = ""] = ENTRY.exec(text) ?? [];
    const leaf = Number(leafText);
    this.#first ??= leaf;
    if (found === undefined || (leaf !== this.#next && this.#first !== leaf)) throw new Error("an entry is missing");
    this.#next = leaf + 1;
    const hash = Buffer.from(encoded, "base64");
    // A record that differs from its leaf may have belonged to any organization.
    const kind = found === "other" && !isLeafOf(record, hash) ? "nobody" : (found as Kind);
    this.#counts[kind] += 1;
    if (kind === "other" || kind === "nobody") return this.#extendRun(kind, { leaf, level: 0, hash });
    this.#own.append(hash);
    return `${this.#endRun()}[${leaf},${id},"${encoded}"${kind === "line" ? "" : `,${record}`}]\n`;
  }

  /** The last lines. */
  end(): string {
    return this.#endRun();
  }

  range(): OrganizationRange {
    const { line, left_out, other, nobody } = this.#counts;
    const root = Buffer.from(this.#own.root()).toString("base64");
    return { first: this.#first ?? 0, last: this.#next - 1, lines: line, leftOut: left_out, other, nobody, root };
  }

  #extendRun(kind: "other" | "nobody", subtree: Subtree): string {
    const ended = kind !== this.#runKind || subtree.leaf === this.#border ? this.#endRun() : "";
    this.#runKind = kind;
    let last = subtree;
    for (let left = this.#run.at(-1); left && areSiblings(left, last); left = this.#run.at(-1)) {
      this.#run.pop();
      last = { leaf: left.leaf, level: left.level + 1, hash: nodeHash(left.hash, last.hash, sha256) };
    }
    this.#run.push(last);
    return ended;
  }

  #endRun(): string {
    const lines = this.#run.map(({ leaf, level, hash }) => {
      return `${JSON.stringify({ leaf, level, hash: Buffer.from(hash).toString("base64"), of: this.#runKind })}\n`;
    });
    this.#run = [];
    return lines.join("");
  }
}

/** Whether two neighbouring subtrees are the halves of a complete subtree. */
function areSiblings(left: Subtree, right: Subtree): boolean {
  return left.level === right.level && left.leaf % 2 ** (left.level + 1) === 0;
}

function isLeafOf(record: string, hash: Uint8Array): boolean {
  try {
    return sameBytes(leafHash(encoder.encode(canonicalize(record)), sha256), hash);
  } catch {
    return false;
  }
}
