import type { ASTNode } from "@marcbachmann/cel-js";
import type { InputFlaw } from "../../base/invalid-input.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { EXPRESSION_LOOPS_MAX } from "../../limits/claim-limits.ts";
import { type ClaimSourceName, isClaimSource, SOURCE_VARIABLES } from "../../vocabulary/claim-sources.ts";

/** Functions on a list with a variable of their own. */
export const LOOPS: ReadonlySet<string> = new Set(["map", "filter", "all", "exists", "exists_one"]);

/**
 * The permitted functions. Left out are `matches`, whose patterns can take seconds, `bind`, which doubles values, and
 * everything with a result that JSON does not have.
 */
const METHODS: ReadonlySet<string> = new Set([
  ...LOOPS,
  ...["startsWith", "endsWith", "contains", "indexOf", "lastIndexOf", "substring", "lowerAscii", "upperAscii", "trim"],
  ...["split", "join", "size", "or", "orValue", "hasValue", "value"],
]);
const FUNCTIONS: ReadonlySet<string> = new Set(["has", "size", "string", "int", "double", "bool"]);

/** What the inspection of a tree finds. */
export interface InspectedTree {
  readonly sources: readonly ClaimSourceName[];
}

interface Walk {
  readonly sources: Set<ClaimSourceName>;
  loops: number;
}

class TreeFlaw extends Error {}

/** Returns the sources that a tree names; the first name, function or loop that is not permitted is a flaw. */
export function inspectTree(tree: ASTNode): Result<InspectedTree, InputFlaw> {
  const walk: Walk = { sources: new Set(), loops: 0 };
  try {
    visit(walk, tree, []);
  } catch (error) {
    if (error instanceof TreeFlaw) return err({ rule: "malformed", text: error.message });
    throw error;
  }
  return ok({ sources: [...walk.sources] });
}

/** `locals`: the variables of the loops around the node. */
function visit(walk: Walk, node: ASTNode, locals: readonly string[]): void {
  switch (node.op) {
    case "value":
      visitValue(node.args);
      break;
    case "id":
      visitVariable(walk, node.args, locals);
      break;
    case ".":
    case ".?":
      visitMember(walk, node.args[0], node.args[1], locals);
      break;
    case "[]":
    case "[?]":
      visitKey(walk, node.args, locals);
      break;
    case "call":
      visitCall(walk, node.args, locals);
      break;
    case "rcall":
      visitMethod(walk, node.args, locals);
      break;
    case "map":
      visitAll(walk, node.args.flat(), locals);
      break;
    case "!_":
    case "-_":
      visit(walk, node.args, locals);
      break;
    default:
      visitAll(walk, node.args, locals);
  }
}

/** A key that is a text is a member, as after a dot. */
function visitKey(walk: Walk, [object, key]: readonly [ASTNode, ASTNode], locals: readonly string[]): void {
  if (key.op === "value" && typeof key.args === "string") visitMember(walk, object, key.args, locals);
  else visitAll(walk, [object, key], locals);
}

function visitAll(walk: Walk, nodes: readonly ASTNode[], locals: readonly string[]): void {
  for (const node of nodes) visit(walk, node, locals);
}

function visitValue(value: unknown): void {
  if (typeof value === "object" && value !== null) throw new TreeFlaw("a literal that JSON does not have");
}

/** A variable as a whole: every member counts. */
function visitVariable(walk: Walk, name: string, locals: readonly string[]): void {
  if (locals.includes(name)) return;
  for (const source of sourcesOfVariable(name)) walk.sources.add(source);
}

function sourcesOfVariable(name: string): readonly ClaimSourceName[] {
  const sources = SOURCE_VARIABLES.get(name);
  if (!sources) throw new TreeFlaw(`unknown variable ${name}`);
  return sources;
}

/** A member of a variable is one source; a member of any other value belongs to the sources of the value. */
function visitMember(walk: Walk, object: ASTNode, member: string, locals: readonly string[]): void {
  if (object.op !== "id" || locals.includes(object.args)) {
    visit(walk, object, locals);
    return;
  }
  if (isClaimSource(object.args)) throw new TreeFlaw(`${object.args} is a list`);
  sourcesOfVariable(object.args);
  const source = `${object.args}.${member}`;
  if (!isClaimSource(source)) throw new TreeFlaw(`unknown member ${source}`);
  walk.sources.add(source);
}

function visitCall(walk: Walk, [name, args]: [string, ASTNode[]], locals: readonly string[]): void {
  if (!FUNCTIONS.has(name)) throw new TreeFlaw(`the function ${name} is not available`);
  visitAll(walk, args, locals);
}

function visitMethod(
  walk: Walk,
  [name, receiver, args]: [string, ASTNode, ASTNode[]],
  locals: readonly string[],
): void {
  if (!METHODS.has(name)) throw new TreeFlaw(`the function ${name} is not available`);
  visit(walk, receiver, locals);
  if (LOOPS.has(name)) visitLoop(walk, name, args, locals);
  else visitAll(walk, args, locals);
}

function visitLoop(walk: Walk, name: string, args: readonly ASTNode[], locals: readonly string[]): void {
  walk.loops += 1;
  if (walk.loops > EXPRESSION_LOOPS_MAX) throw new TreeFlaw(`more than ${EXPRESSION_LOOPS_MAX} loops over lists`);
  if (locals.length > 0) throw new TreeFlaw("a loop over a list within another loop");
  const [variable, ...body] = args;
  if (variable?.op !== "id") throw new TreeFlaw(`${name} needs a variable`);
  if (SOURCE_VARIABLES.has(variable.args))
    throw new TreeFlaw(`the variable ${variable.args} of a loop has another meaning`);
  visitAll(walk, body, [variable.args]);
}
