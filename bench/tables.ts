/**
 * Reads and writes the benchmark tables of documents. Each table stands between two comments with the name of the
 * table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function writeTable(document: string, name: string, table: string): void {
  const file = join(import.meta.dir, "..", document);
  const text = readFileSync(file, "utf8");
  const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
  if (!marked.test(text)) throw new Error(`${document} has no place for the table ${name}`);
  writeFileSync(
    file,
    text.replace(marked, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`),
  );
}
