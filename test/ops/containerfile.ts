import { text } from "./kit.ts";

/** The image of the last stage, as far as a test can execute the image without a container engine. */
export interface Image {
  readonly workdir: string;
  readonly copies: readonly Copy[];
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
  const stages = stagesOf(instructions);
  const lastStage = chainOf(stages, stages.at(-1));
  const all = (name: string) => lastStage.filter(([word]) => word === name).map(([, rest]) => rest);
  const one = (name: string) => {
    const [value] = all(name);
    if (value === undefined) throw new Error(`ops/Containerfile: the last stage has no ${name}`);
    return value;
  };
  return {
    workdir: one("WORKDIR"),
    copies: all("COPY").map(copyOf),
    env: Object.fromEntries(all("ENV").flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split("=", 2)))),
    user: one("USER"),
    stopSignal: one("STOPSIGNAL"),
    healthcheck: JSON.parse(one("HEALTHCHECK").replace(/^.*?CMD /, "")),
    entrypoint: JSON.parse(one("ENTRYPOINT")),
    command: JSON.parse(one("CMD")),
  };
}

type Instruction = readonly [word: string, rest: string];

interface Stage {
  readonly name: string | undefined;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

function stagesOf(instructions: readonly Instruction[]): Stage[] {
  const starts = instructions.flatMap(([word], index) => (word === "FROM" ? [index] : []));
  return starts.map((start, index) => {
    const [base = "", , name] = instructions[start]?.[1].split(" ") ?? [];
    return { name, base, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

/** Returns the instructions of a stage after the instructions of the stages that the stage is based on. */
function chainOf(stages: readonly Stage[], stage: Stage | undefined): readonly Instruction[] {
  if (stage === undefined) return [];
  const base = stages.find(({ name }) => name === stage.base);
  return [...chainOf(stages, base), ...stage.instructions];
}

function instructionsOf(file: string): Instruction[] {
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
