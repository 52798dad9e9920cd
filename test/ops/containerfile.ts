import { text } from "./kit.ts";

/** The last stage of the Containerfile, as far as a test can execute the stage without a container engine. */
export interface Image {
  readonly workdir: string;
  readonly copies: readonly Copy[];
  /** Paths that the previous stage removes from the packages. */
  readonly removed: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly stopSignal: string;
  readonly healthcheck: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

export interface Copy {
  /** The source stage; undefined: the build context. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function readImage(): Image {
  const instructions = instructionsOf(text("Containerfile"));
  const lastStage = instructions.slice(instructions.findLastIndex(([word]) => word === "FROM"));
  const all = (name: string) => lastStage.filter(([word]) => word === name).map(([, rest]) => rest);
  const one = (name: string) => {
    const [value] = all(name);
    if (value === undefined) throw new Error(`ops/Containerfile: the last stage has no ${name}`);
    return value;
  };
  return {
    workdir: one("WORKDIR"),
    copies: all("COPY").map(copyOf),
    removed: /&& rm -rf (.+)$/m.exec(text("Containerfile"))?.[1]?.split(" ") ?? [],
    env: Object.fromEntries(all("ENV").flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split("=", 2)))),
    user: one("USER"),
    stopSignal: one("STOPSIGNAL"),
    healthcheck: JSON.parse(one("HEALTHCHECK").replace(/^.*?CMD /, "")),
    entrypoint: JSON.parse(one("ENTRYPOINT")),
    command: JSON.parse(one("CMD")),
  };
}

function instructionsOf(file: string): [word: string, rest: string][] {
  const lines = file
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1).trim()]);
}

function copyOf(rest: string): Copy {
  const args = rest.split(/\s+/);
  const from = args[0]?.startsWith("--from=") ? args.shift()?.slice("--from=".length) : undefined;
  return { from, sources: args.slice(0, -1), target: String(args.at(-1)) };
}
