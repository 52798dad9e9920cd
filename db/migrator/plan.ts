/**
 * The steps of a migration. Usually one transaction has all statements. A statement that would keep a large table from
 * its users for longer is a step of its own, in a form with the same result (docs/upgrading.md, "The rule for
 * migrations"). The text of a migration stays, because the ledger has the hash of the text.
 */
import { type Backfill, findBackfill } from "./backfills.ts";

interface Range {
  /** The number of the migration's statements before the step. */
  readonly start: number;
  /** The number of the migration's statements after the step. */
  readonly end: number;
}

export interface IndexStatement {
  readonly name: string;
  readonly table: string;
  readonly statement: string;
}

export interface ConstraintStatement {
  readonly name: string;
  readonly table: string;
  readonly statement: string;
}

export type Step =
  | (Range & { readonly kind: "transaction"; readonly statements: readonly string[] })
  | (Range & { readonly kind: "index"; readonly index: IndexStatement })
  | (Range & { readonly kind: "constraint"; readonly constraint: ConstraintStatement })
  | (Range & { readonly kind: "backfill"; readonly backfill: Backfill });

type Online =
  | { readonly kind: "index"; readonly index: IndexStatement }
  | { readonly kind: "constraint"; readonly constraint: ConstraintStatement }
  | { readonly kind: "backfill"; readonly backfill: Backfill };

const INDEX = /^create (?:unique )?index (?:if not exists )?"(\w+)" on "(\w+)"/i;
const CONSTRAINT = /^alter table "(\w+)" add constraint "(\w+)" (?:foreign key|check)\b/i;
const TABLE_LOCK = /^lock table\b/i;

/**
 * `large`: the tables that are large at the start of the migration. After `lock table` all further statements stay in
 * the transaction, because the lock must hold until the last of them.
 */
export function planMigration(statements: readonly string[], large: ReadonlySet<string>): readonly Step[] {
  const steps: Step[] = [];
  let isLocked = false;
  statements.forEach((text, at) => {
    const statement = bare(text);
    isLocked ||= TABLE_LOCK.test(statement);
    const online = isLocked ? undefined : onlineForm(statement, large);
    const last = steps.at(-1);
    if (online) steps.push({ ...online, start: at, end: at + 1 });
    else if (last?.kind === "transaction")
      steps[steps.length - 1] = { ...last, end: at + 1, statements: [...last.statements, text] };
    else steps.push({ kind: "transaction", start: at, end: at + 1, statements: [text] });
  });
  return steps;
}

function onlineForm(statement: string, large: ReadonlySet<string>): Online | undefined {
  const [, index = "", indexed = ""] = INDEX.exec(statement) ?? [];
  if (large.has(indexed)) return { kind: "index", index: { name: index, table: indexed, statement } };
  const [, constrained = "", constraint = ""] = CONSTRAINT.exec(statement) ?? [];
  if (large.has(constrained))
    return { kind: "constraint", constraint: { name: constraint, table: constrained, statement } };
  const backfill = findBackfill(statement);
  return backfill && large.has(backfill.table) ? { kind: "backfill", backfill } : undefined;
}

/** A statement without the comments before the statement and without the closing semicolon. */
export function bare(text: string): string {
  return text
    .replace(/^(?:\s*--.*\n)+/, "")
    .trim()
    .replace(/;$/, "");
}
