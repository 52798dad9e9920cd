/** Conditions of filters as SQL. Every value of a request is a parameter; the columns are the closed set below. */

import { addressSpellings } from "../../base/ascii-domain.ts";
import { nameKey } from "../../base/display-name.ts";
import { isUuid } from "../../base/random.ts";
import { ok } from "../../base/result.ts";
import type { Fragment, Sql } from "../../database/database.ts";
import type { AttributeTarget } from "./protocol/attribute-path.ts";
import type { Comparison, Condition, SomeValue } from "./protocol/condition.ts";
import { ENTERPRISE_SCHEMA } from "./protocol/schemas.ts";
import { type ScimResult, scimError } from "./protocol/scim-problem.ts";

/** The type decides the comparison. `key`: compared with the key of a name; `text`: without case. */
interface Column {
  readonly type: "boolean" | "exact" | "id" | "key" | "text" | "time";
  readonly expression: (sql: Sql) => Fragment;
}

type Columns = Readonly<Record<string, Column>>;

/** Columns by `attribute`, `attribute.sub` or `enterprise:attribute`; the alias of the table is `r`. */
const COMMON: Columns = {
  id: { type: "id", expression: (sql) => sql`r.id` },
  externalId: { type: "exact", expression: (sql) => sql`r.external_id` },
  "meta.created": { type: "time", expression: (sql) => sql`r.created_at` },
  "meta.lastModified": { type: "time", expression: (sql) => sql`r.updated_at` },
};

const USER_COLUMNS: Columns = {
  ...COMMON,
  userName: { type: "key", expression: (sql) => sql`r.user_name_key` },
  active: { type: "boolean", expression: (sql) => sql`r.active` },
  displayName: { type: "text", expression: (sql) => sql`r.document ->> 'displayName'` },
  "name.givenName": { type: "text", expression: (sql) => sql`r.document -> 'name' ->> 'givenName'` },
  "name.familyName": { type: "text", expression: (sql) => sql`r.document -> 'name' ->> 'familyName'` },
  "enterprise:employeeNumber": {
    type: "text",
    expression: (sql) => sql`r.document -> ${ENTERPRISE_SCHEMA} ->> 'employeeNumber'`,
  },
  "enterprise:department": {
    type: "text",
    expression: (sql) => sql`r.document -> ${ENTERPRISE_SCHEMA} ->> 'department'`,
  },
  "enterprise:manager.value": {
    type: "exact",
    expression: (sql) => sql`r.document -> ${ENTERPRISE_SCHEMA} -> 'manager' ->> 'value'`,
  },
};

const GROUP_COLUMNS: Columns = {
  ...COMMON,
  displayName: { type: "key", expression: (sql) => sql`r.display_name_key` },
};

/** Columns of a value of `emails`, the alias `e` of the JSON object. */
const EMAIL_COLUMNS: Columns = {
  value: { type: "text", expression: (sql) => sql`e.value ->> 'value'` },
  type: { type: "text", expression: (sql) => sql`e.value ->> 'type'` },
  display: { type: "text", expression: (sql) => sql`e.value ->> 'display'` },
  primary: { type: "boolean", expression: (sql) => sql`coalesce(e.value -> 'primary' = 'true'::jsonb, false)` },
};

const MEMBER_COLUMNS: Columns = { value: { type: "id", expression: (sql) => sql`m.record_id` } };

interface Compiler {
  readonly sql: Sql;
  readonly columns: Columns;
  /** Compiles a condition on a value of a multi-valued attribute; undefined: not supported. */
  readonly some: (condition: SomeValue) => ScimResult<Fragment>;
}

/** The condition of users, the alias `r` of `directory_users`. */
export function userCondition(sql: Sql, condition: Condition): ScimResult<Fragment> {
  return compile({ sql, columns: USER_COLUMNS, some: (some) => emailCondition(sql, some) }, condition);
}

/** The condition of groups, the alias `r` of `directory_groups`. */
export function groupCondition(sql: Sql, condition: Condition): ScimResult<Fragment> {
  return compile({ sql, columns: GROUP_COLUMNS, some: (some) => memberCondition(sql, some) }, condition);
}

const UNSUPPORTED = scimError("invalidFilter", "The service does not filter by this attribute.");

/**
 * A comparison with an absent attribute is null, and null selects nothing: only `not` has to count null as false. A
 * comparison inside of `coalesce` would use no index.
 */
function compile(compiler: Compiler, condition: Condition): ScimResult<Fragment> {
  const { sql } = compiler;
  switch (condition.kind) {
    case "and":
    case "or": {
      const left = compile(compiler, condition.left);
      const right = left.ok ? compile(compiler, condition.right) : left;
      if (!left.ok || !right.ok) return right;
      return ok(
        condition.kind === "and" ? sql`(${left.value} and ${right.value})` : sql`(${left.value} or ${right.value})`,
      );
    }
    case "not": {
      const inner = compile(compiler, condition.condition);
      return inner.ok ? ok(sql`not coalesce(${inner.value}, false)`) : inner;
    }
    case "some":
      return compiler.some(condition);
    case "present": {
      const column = columnOf(compiler, condition.target);
      if (!column) return UNSUPPORTED;
      const expression = column.expression(sql);
      return ok(column.type === "text" ? sql`(coalesce(${expression}, '') <> '')` : sql`(${expression} is not null)`);
    }
    case "compare": {
      const column = columnOf(compiler, condition.target);
      return column ? ok(comparison(sql, column, condition)) : UNSUPPORTED;
    }
  }
}

function columnOf({ columns }: Compiler, { extension, attribute, sub }: AttributeTarget): Column | undefined {
  const name = sub ? `${attribute.name}.${sub.name}` : attribute.name;
  const key = extension ? `enterprise:${name}` : name;
  return Object.hasOwn(columns, key) ? columns[key] : undefined;
}

function comparison(sql: Sql, { type, expression }: Column, { operator, value }: Comparison): Fragment {
  const column = expression(sql);
  if (typeof value === "boolean") return sql`${column} = ${value}`;
  if (value instanceof Date) return ordered(sql, column, operator, sql`${value}::timestamptz`);
  if (type === "id") return compareId(sql, column, operator, value);
  const text = type === "text" ? sql`lower(${column})` : column;
  const spellings = type === "exact" ? [] : spellingsOf(value);
  if (operator === "eq" && spellings.length > 1) {
    return sql`${text} = any(${type === "key" ? spellings.map(nameKey) : spellings}::text[])`;
  }
  const expected = sql`${type === "exact" ? value : type === "key" ? nameKey(value) : value.toLowerCase()}::text`;
  switch (operator) {
    case "co":
      return sql`strpos(${text}, ${expected}) > 0`;
    case "sw":
      return sql`starts_with(${text}, ${expected})`;
    case "ew":
      return sql`right(${text}, length(${expected})) = ${expected}`;
    default:
      return ordered(sql, operator === "eq" ? text : sql`${text} collate "C"`, operator, expected);
  }
}

/** An address with an internationalized domain equals the address in every spelling of the domain. */
function spellingsOf(value: string): string[] {
  return [...addressSpellings(value.toLowerCase())];
}

/** Equal ids are found by the index; ids in text form have lower case. */
function compareId(sql: Sql, column: Fragment, operator: Comparison["operator"], value: string): Fragment {
  if (operator === "eq")
    return isUuid(value) && value === value.toLowerCase() ? sql`${column} = ${value}::uuid` : sql`false`;
  const asText: Column = { type: "exact", expression: () => sql`${column}::text` };
  return comparison(sql, asText, { operator, value } as Comparison);
}

function ordered(sql: Sql, left: Fragment, operator: Comparison["operator"], right: Fragment): Fragment {
  switch (operator) {
    case "gt":
      return sql`${left} > ${right}`;
    case "ge":
      return sql`${left} >= ${right}`;
    case "lt":
      return sql`${left} < ${right}`;
    case "le":
      return sql`${left} <= ${right}`;
    default:
      return sql`${left} = ${right}`;
  }
}

/** The comparison of a value is also a condition on the indexed keys, so that few documents are read. */
function emailCondition(sql: Sql, { target, condition }: SomeValue): ScimResult<Fragment> {
  if (target.attribute.name !== "emails") return UNSUPPORTED;
  const inner = compile({ sql, columns: EMAIL_COLUMNS, some: () => UNSUPPORTED }, condition);
  if (!inner.ok) return inner;
  const value = equalValueOf(condition);
  const indexed = value === undefined ? sql`true` : sql`r.email_keys && ${spellingsOf(value)}::text[]`;
  return ok(sql`(${indexed} and exists (
    select 1 from jsonb_array_elements(coalesce(r.document -> 'emails', '[]'::jsonb)) e where ${inner.value}
  ))`);
}

/** The value that the condition requires; undefined: several values fulfil the condition. */
function equalValueOf(condition: Condition): string | undefined {
  if (condition.kind === "and") return equalValueOf(condition.left) ?? equalValueOf(condition.right);
  if (condition.kind !== "compare" || condition.operator !== "eq" || typeof condition.value !== "string")
    return undefined;
  return condition.target.attribute.name === "value" ? condition.value : undefined;
}

function memberCondition(sql: Sql, { target, condition }: SomeValue): ScimResult<Fragment> {
  if (target.attribute.name !== "members") return UNSUPPORTED;
  const inner = compile({ sql, columns: MEMBER_COLUMNS, some: () => UNSUPPORTED }, condition);
  if (!inner.ok) return inner;
  return ok(sql`exists (select 1 from directory_group_members m where m.group_id = r.id and ${inner.value})`);
}
