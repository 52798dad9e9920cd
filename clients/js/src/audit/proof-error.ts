/** The problem of the evidence, with the line; `line` is null where the proof is wrong, not the export. */
export class ProofError extends Error {
  readonly line: number | null;

  constructor(line: number | null, problem: string) {
    super(problem);
    this.line = line;
  }
}
