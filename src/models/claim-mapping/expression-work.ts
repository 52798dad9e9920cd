/**
 * The most bytes that an evaluation reads and creates, from the syntax tree and the bounds of the sources alone. An
 * upper bound for the permitted functions: every node is evaluated once, and the body of a loop once for an element.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import { CLAIM_GROUPS_MAX } from "../../limits/claim-limits.ts";
import { METADATA_MAX_BYTES, USER_METADATA_MAX_BYTES } from "../../limits/metadata-limits.ts";
import {
  PERMISSION_NAME_MAX_CHARACTERS,
  PERMISSIONS_PER_ROLE_MAX,
  ROLE_KEY_MAX_CHARACTERS,
  ROLES_PER_MEMBER_MAX,
} from "../../limits/role-limits.ts";
import { LOOPS } from "./inspect-tree.ts";

/** A value in memory: all bytes, and the elements of a list or the members of an object. */
interface Size {
  readonly bytes: number;
  readonly items: number;
}

const SCALAR = 64;
const TEXT = 1_024;
/** Bytes of an element beside the content. */
const ELEMENT = 16;
/** Names of groups have up to 256 code points. */
const GROUP = 512;

const LISTS: Readonly<Record<string, Size>> = {
  groups: { bytes: CLAIM_GROUPS_MAX * GROUP, items: CLAIM_GROUPS_MAX },
  roles: { bytes: (ROLES_PER_MEMBER_MAX + 1) * ROLE_KEY_MAX_CHARACTERS * 2, items: ROLES_PER_MEMBER_MAX + 1 },
  permissions: {
    bytes: ROLES_PER_MEMBER_MAX * PERMISSIONS_PER_ROLE_MAX * PERMISSION_NAME_MAX_CHARACTERS,
    items: ROLES_PER_MEMBER_MAX * PERMISSIONS_PER_ROLE_MAX,
  },
};

/** Metadata is UTF-8 JSON, of which a byte is at most a character of two bytes and a quarter of an element. */
const OBJECT: Size = { bytes: 4 * METADATA_MAX_BYTES, items: METADATA_MAX_BYTES / 4 };
const USER_METADATA: Size = { bytes: 4 * USER_METADATA_MAX_BYTES, items: USER_METADATA_MAX_BYTES / 4 };

/** The bytes of an evaluation, with the serialized result. */
export function estimateWork(tree: ASTNode): number {
  const work = new Work();
  const { bytes } = work.visit(tree, new Map());
  return work.bytes + bytes;
}

type Locals = ReadonlyMap<string, Size>;

class Work {
  bytes = 0;
  /** How often the present node is evaluated. */
  times = 1;

  visit(node: ASTNode, locals: Locals): Size {
    const size = this.sizeOf(node, locals);
    this.bytes += SCALAR * this.times;
    return size;
  }

  /** A new value of these bytes. */
  create(bytes: number, items = 1): Size {
    this.bytes += bytes * this.times;
    return { bytes, items };
  }

  private sizeOf(node: ASTNode, locals: Locals): Size {
    switch (node.op) {
      case "value":
        return { bytes: typeof node.args === "string" ? node.args.length * 2 + ELEMENT : SCALAR, items: 1 };
      case "id":
        return locals.get(node.args) ?? LISTS[node.args] ?? (node.args === "user" ? USER_METADATA : OBJECT);
      case ".":
      case ".?":
        return this.memberOf(node.args[0], node.args[1], locals);
      case "[]":
      case "[?]":
        this.visit(node.args[1], locals);
        return this.visit(node.args[0], locals);
      case "list":
        return this.aggregate(node.args, locals);
      case "map":
        return this.aggregate(node.args.flat(), locals);
      case "call":
        return this.call(node.args[0], this.all(node.args[1], locals));
      case "rcall":
        return this.method(node.args, locals);
      case "!_":
      case "-_":
        return this.visit(node.args, locals);
      default:
        return this.operate(node.op, this.all([...node.args], locals));
    }
  }

  private all(nodes: readonly ASTNode[], locals: Locals): readonly Size[] {
    return nodes.map((node) => this.visit(node, locals));
  }

  private memberOf(object: ASTNode, member: string, locals: Locals): Size {
    const whole = this.visit(object, locals);
    if (object.op !== "id" || locals.has(object.args)) return whole;
    return object.args === "user" && member === "public_metadata" ? USER_METADATA : OBJECT;
  }

  private aggregate(nodes: readonly ASTNode[], locals: Locals): Size {
    const sizes = this.all(nodes, locals);
    this.bytes += sizes.length * ELEMENT * this.times;
    return { bytes: sum(sizes) + sizes.length * ELEMENT, items: Math.max(1, sizes.length) };
  }

  private operate(op: string, sizes: readonly Size[]): Size {
    const [left = NOTHING, right = NOTHING] = sizes;
    if (op === "+") return this.create(sum(sizes), left.items + right.items);
    if (op === "?:") return largest(sizes.slice(1));
    // A comparison with each element; of two objects with each member.
    this.bytes += (op === "in" ? right.items * ELEMENT + left.bytes : Math.min(left.bytes, right.bytes)) * this.times;
    return BOOLEAN;
  }

  private call(name: string, sizes: readonly Size[]): Size {
    // The text of a number is short; a text stays as long as before.
    return name === "string" ? this.create(Math.max(TEXT, sizes[0]?.bytes ?? 0)) : BOOLEAN;
  }

  private method([name, receiverNode, args]: [string, ASTNode, ASTNode[]], locals: Locals): Size {
    const receiver = this.visit(receiverNode, locals);
    if (LOOPS.has(name)) return this.loop(name, receiver, args, locals);
    const sizes = this.all(args, locals);
    const [argument = NOTHING] = sizes;
    switch (name) {
      case "contains":
      case "indexOf":
      case "lastIndexOf":
        // A search compares the text at every place.
        this.bytes +=
          (receiver.bytes + (receiver.bytes * Math.min(argument.bytes, receiver.bytes / 2)) / 64) * this.times;
        return BOOLEAN;
      case "startsWith":
      case "endsWith":
      case "size":
      case "hasValue":
        return BOOLEAN;
      case "split": {
        const items = Math.ceil(receiver.bytes / 2);
        return this.create(receiver.bytes + items * ELEMENT, items);
      }
      case "join":
        return this.create(receiver.bytes + receiver.items * argument.bytes);
      case "or":
      case "orValue":
        return largest([receiver, ...sizes]);
      case "value":
        return receiver;
      default:
        return this.create(receiver.bytes);
    }
  }

  private loop(name: string, list: Size, [variable, ...body]: readonly ASTNode[], locals: Locals): Size {
    const element = { bytes: Math.ceil(list.bytes / list.items), items: 1 };
    const inner = new Map(locals);
    if (variable?.op === "id")
      inner.set(variable.args, { ...element, items: Math.max(1, Math.ceil(element.bytes / 4)) });
    const before = this.times;
    this.times = before * list.items;
    const sizes = this.all(body, inner);
    this.times = before;
    if (name === "filter") return this.create(list.bytes, list.items);
    if (name !== "map") return BOOLEAN;
    const { bytes } = sizes.at(-1) ?? NOTHING;
    return this.create(list.items * (bytes + ELEMENT), list.items);
  }
}

const NOTHING: Size = { bytes: 0, items: 1 };
const BOOLEAN: Size = { bytes: SCALAR, items: 1 };

function sum(sizes: readonly Size[]): number {
  return sizes.reduce((total, { bytes }) => total + bytes, 0);
}

function largest(sizes: readonly Size[]): Size {
  return sizes.reduce((most, size) => (size.bytes > most.bytes ? size : most), NOTHING);
}
