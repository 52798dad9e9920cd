/** Fenced blocks of the documents, and their commands against a service of a test. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const BLOCK = /^( *)```(\S+)(?: (.+))?\n([\s\S]*?)^ *```$/gm;
/** The addresses of the service in documents. */
const ADDRESSES = ["https://id.example.com", "http://localhost:3000", "localhost:3000"];

export interface Block {
  readonly line: number;
  readonly language: string;
  /** The words after the language: a name, `file=<path>`, or `example` for a block that no test runs. */
  readonly name: string;
  readonly code: string;
}

export function blocksOf(document: string): Block[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  return [...text.matchAll(BLOCK)].map(({ index, 1: indent = "", 2: language = "", 3: name = "", 4: code = "" }) => ({
    line: text.slice(0, index).split("\n").length,
    language,
    name,
    code: code.replace(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** Returns the code of a block by language and name, such as `sh sign-in`. */
export function blockOf(document: string, info: string): string {
  const block = blocksOf(document).find(({ language, name }) => `${language} ${name}`.trim() === info);
  if (!block) throw new Error(`${document} has no block ${info}`);
  return block.code;
}

/** Returns the argument lists of the commands `npm run service -- …` of a block. */
export function serviceCommandsOf(document: string, info: string): string[][] {
  const lines = blockOf(document, info).trim().split("\n");
  return lines.flatMap((line) => {
    const [, command] = /^npm run service -- ([^#]+)/.exec(line) ?? [];
    const words = command?.trim().match(/"[^"]*"|\S+/g);
    return words ? [words.map((word) => word.replaceAll('"', ""))] : [];
  });
}

export interface Here {
  readonly url: string;
  readonly folder: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Values of the document and their replacements. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Runs shell blocks at the address of a service; returns the output of each curl on a line of its own. */
export async function runBlocks(document: string, infos: readonly string[], here: Here): Promise<string[]> {
  const { url, folder, variables = {}, values = {} } = here;
  let script = infos.map((info) => blockOf(document, info)).join("\n");
  for (const [from, to] of [...ADDRESSES.map((address) => [address, url]), ...Object.entries(values)])
    script = script.replaceAll(String(from), String(to));
  const { PATH = "" } = process.env;
  const command = ["sh", "-euc", `curl() { command curl "$@"; echo; }\n${script}`];
  const child = Bun.spawn(command, { cwd: folder, env: { PATH, ...variables }, stderr: "pipe" });
  const [output, error, code] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
  if (code !== 0) throw new Error(`${document}, ${infos}: ${code}\n${output}\n${error}`);
  return output.trim().split("\n");
}

const text = (stream: ReadableStream) => new Response(stream).text();
