/** The files of `clients apply` and `resources apply`: YAML 1.2, of which JSON is a subset. */
import { open } from "node:fs/promises";
import { parseDocument } from "yaml";
import type { FieldFlaw } from "../base/invalid-input.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/config.ts";
import type { ClientSet } from "../flows/oauth/clients/client-plan.ts";
import type { ResourceSet } from "../flows/oauth/resources/apply-resources.ts";
import { readClientSet } from "../http/oauth/oauth-client-file.ts";
import { readResourceSet } from "../http/oauth/oauth-resource-file.ts";
import { CLIENT_FILE_MAX_BYTES } from "../limits/oauth-limits.ts";

/** Reads and validates a file of `clients apply`. Returns all problems, a line for each. */
export async function readClientFile(
  path: string,
  environment?: Pick<Config, "embedded">,
): Promise<Result<ClientSet, readonly string[]>> {
  return await readFile(path, (value) => readClientSet(value, environment));
}

/** Reads and validates a file of `resources apply`. Returns all problems, a line for each. */
export async function readResourceFile(
  path: string,
  environment?: Pick<Config, "embedded">,
): Promise<Result<ResourceSet, readonly string[]>> {
  return await readFile(path, (value) => readResourceSet(value, environment));
}

async function readFile<T>(
  path: string,
  read: (value: unknown) => Result<T, readonly FieldFlaw[]>,
): Promise<Result<T, readonly string[]>> {
  const text = await readBounded(path);
  if (text === undefined) return err([`${path}: at most ${CLIENT_FILE_MAX_BYTES} bytes of UTF-8`]);
  const value = parse(text);
  if (!value.ok) return err(value.error.map((problem) => `${path}: ${problem}`));
  const set = read(value.value);
  return set.ok ? set : err(set.error.map((flaw) => `${path}: ${flaw.path ?? flaw.field}: ${flaw.text}`));
}

/** Undefined for a file beyond the bound, and for a file that is not UTF-8. */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CLIENT_FILE_MAX_BYTES + 1));
    if (bytesRead > CLIENT_FILE_MAX_BYTES) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

/** Duplicate keys are errors; the library bounds the expansion of aliases. */
function parse(text: string): Result<unknown, readonly string[]> {
  try {
    const document = parseDocument(text, { version: "1.2", schema: "core", uniqueKeys: true, prettyErrors: true });
    const problems = [...document.errors, ...document.warnings].map(({ message }) => message.split("\n")[0] ?? "");
    return problems.length > 0 ? err(problems) : ok(document.toJS());
  } catch (error) {
    // Aliases beyond the bound, and nesting beyond the stack.
    return err([error instanceof Error ? error.message : "not YAML"]);
  }
}
