/** Formats SQL of the driver for readers: one common table expression per block, one clause per line. */

const CLAUSES = [
  "select",
  "from",
  "where",
  "set",
  "values",
  "returning",
  "on conflict",
  "order by",
  "join",
  "left join",
  "for share",
  "for update",
  "for key share",
  "for no key update",
];
const CLAUSE = new RegExp(`(?<!left) (?=(?:${CLAUSES.toSorted((a, b) => b.length - a.length).join("|")})\\b)`);
const COLUMNS_MAX = 110;

/** Formats a statement. Only white space changes. */
export function formatSql(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")").trim();
  const { ctes, rest } = splitCtes(flat);
  if (ctes.length === 0) return clauses(rest, "");
  const blocks = ctes.map(({ name, body }) => `  ${name} as (\n${clauses(body, "    ")}\n  )`);
  return `with\n${blocks.join(",\n")}\n${clauses(rest, "")}`;
}

function splitCtes(sql: string): { ctes: { name: string; body: string }[]; rest: string } {
  const ctes: { name: string; body: string }[] = [];
  let rest = sql.startsWith("with ") ? sql.slice("with ".length) : sql;
  for (let head = opening(rest); sql.startsWith("with ") && head; head = opening(rest)) {
    const end = closing(rest, head.length - 1);
    ctes.push({ name: head.replace(/ as \($/, ""), body: rest.slice(head.length, end) });
    rest = rest.slice(end + 1).replace(/^,? /, "");
  }
  return { ctes, rest };
}

function opening(sql: string): string | undefined {
  return /^"?\w+"? as \(/.exec(sql)?.[0];
}

/** Returns the index of the parenthesis that closes the parenthesis at `start`. */
function closing(sql: string, start: number): number {
  let depth = 0;
  for (let index = start; index < sql.length; index += 1) {
    if (sql[index] === "(") depth += 1;
    if (sql[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  throw new Error(`a parenthesis is not closed: ${sql}`);
}

/** Inserts breaks before clauses outside of parentheses, and wraps long lines. */
function clauses(sql: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const piece of sql.split(CLAUSE)) {
    line = line === "" ? piece : `${line} ${piece}`;
    if (!balanced(line)) continue;
    lines.push(line);
    line = "";
  }
  if (line !== "") lines.push(line);
  return lines.flatMap((each) => wrapped(each, indent)).join("\n");
}

function balanced(text: string): boolean {
  return text.split("(").length === text.split(")").length;
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length + word.length > COLUMNS_MAX) {
      lines.push(line.trimEnd());
      line = `${indent}  `;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
