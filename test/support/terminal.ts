/** Blocks of the guides in a shell, one after the other, as a user enters the blocks at a terminal. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { until } from "./waiting.ts";

export interface Entered {
  readonly code: number;
  readonly output: string;
}

export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #output = "";
  #blocks = 0;

  /** `env` and PATH are the whole environment. The shell ends with the input, and so with this process. */
  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    const { PATH = "" } = process.env;
    this.#shell = spawn("bash", [], { cwd, env: { PATH, ...env } });
    this.#ended = new Promise((resolve) => this.#shell.once("exit", () => resolve()));
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
      });
  }

  /** Runs a block to the end; variables and functions remain for the next block. */
  async enter(block: string): Promise<Entered> {
    return await this.start(block).finished;
  }

  /** Starts a block. `printed` waits for a text of the output before the end of the block. */
  start(block: string) {
    const from = this.#output.length;
    this.#blocks += 1;
    const end = new RegExp(`^end of block ${this.#blocks}: (\\d+)$`, "m");
    // The shell reads the next block from the input: the programs of a block have no input.
    this.#shell.stdin.write(`{\n${block}\n} </dev/null 2>&1\nprintf '\\nend of block ${this.#blocks}: %d\\n' $?\n`);
    const output = () => this.#output.slice(from);
    const find = async (what: RegExp) => {
      await until(`the terminal prints ${what}`, async () => {
        if (this.#shell.exitCode !== null) throw new Error(`the shell ended: ${output()}`);
        if (what !== end && end.test(output())) throw new Error(`no ${what} in: ${output()}`);
        return what.test(output());
      });
      return what.exec(output()) as RegExpExecArray;
    };
    const finished = find(end).then(({ 1: code, index }) => ({ code: Number(code), output: output().slice(0, index) }));
    return { printed: find, finished };
  }

  /** Ends the input, and waits for the end of the shell. */
  async close(): Promise<void> {
    this.#shell.stdin.end();
    await this.#ended;
  }
}
