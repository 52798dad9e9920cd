/**
 * The model of the edits of roles (G225): which editor may define, assign, group, map and invite with a role, and the
 * permissions of every member afterwards. Member 0 is the owner; the members after the owner are editors.
 */
import fc from "fast-check";

export const PERMISSIONS = [
  "members.role",
  "members.invite",
  "roles.manage",
  "policies.manage",
  "directory.manage",
  "audit.read",
] as const;
/** A template reaches every organization and never has permissions of owners. */
const TEMPLATE_PERMISSIONS = PERMISSIONS.filter((name) => !["policies.manage", "roles.manage"].includes(name));
/** Editors. */
export const EDITORS = 3;
/** The member who signs in at the identity provider, and the member of whom the directory decides. */
export const [EMPLOYEE, RECORD] = [EDITORS + 1, EDITORS + 2];
/** Further members by invitation. */
const NEWCOMERS = 2;
/** Roles of the organization; the template has the next index. */
export const ROLES = 4;
export const GROUPS = 2;

export type Names = readonly string[];
export type Edit =
  | { readonly kind: "assign"; readonly actor: number; readonly target: number; readonly roles: readonly number[] }
  | { readonly kind: "define"; readonly actor: number; readonly role: number; readonly permissions: Names }
  | {
      readonly kind: "place";
      readonly actor: number;
      readonly target: number;
      readonly group: number;
      readonly isIn: boolean;
    }
  | { readonly kind: "grant"; readonly actor: number; readonly group: number; readonly roles: readonly number[] }
  | { readonly kind: "invite"; readonly actor: number; readonly roles: readonly number[] }
  | { readonly kind: "template"; readonly permissions: Names }
  /** The oldest open invitation is accepted. */
  | { readonly kind: "accept" }
  /** The roles of the rules for single sign-on; `map`: of the group of the directory. */
  | { readonly kind: "map" | "rule"; readonly actor: number; readonly roles: readonly number[] }
  /** The employee signs in. */
  | { readonly kind: "enter" }
  /** The directory adds the record to its group, or removes the record. */
  | { readonly kind: "provision"; readonly isIn: boolean };
type Invited = Edit & { readonly kind: "invite" };

/** The permission that an edit by a member needs. */
function neededFor(kind: Edit["kind"]): (typeof PERMISSIONS)[number] {
  if (kind === "define") return "roles.manage";
  if (kind === "rule") return "policies.manage";
  if (kind === "map") return "directory.manage";
  return kind === "invite" ? "members.invite" : "members.role";
}

/** Edits without an editor: of the platform, of a new member, of an identity provider, of a directory. */
const FOLLOWING: readonly Edit["kind"][] = ["accept", "enter", "provision", "template"];

/** Roles, groups and members by index. */
export class Model {
  readonly definitions: Set<string>[] = Array.from({ length: ROLES + 1 }, () => new Set());
  readonly assigned: Set<number>[] = Array.from({ length: RECORD + 1 + NEWCOMERS }, () => new Set());
  readonly places: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly granted: Set<number>[] = Array.from({ length: GROUPS }, () => new Set());
  readonly invitations: Invited[] = [];
  joined = 0;
  /** The roles of the rules for single sign-on, and the roles that the employee has by these rules. */
  ruled: ReadonlySet<number> = new Set();
  bySignIn: ReadonlySet<number> = new Set();
  /** The roles of the group of the directory. */
  mapped: ReadonlySet<number> = new Set();
  isRecordInGroup = false;

  heldBy(member: number): Set<number> {
    const bySignIn = member === EMPLOYEE ? this.bySignIn : [];
    const byDirectory = member === RECORD && this.isRecordInGroup ? this.mapped : [];
    return new Set([...this.heldByEdits(member), ...bySignIn, ...byDirectory]);
  }

  /** Roles by assignment and by groups of the organization. */
  private heldByEdits(member: number): Set<number> {
    const byGroups = this.places.flatMap((place, group) => (place.has(member) ? [...setAt(this.granted, group)] : []));
    return new Set([...setAt(this.assigned, member), ...byGroups]);
  }

  permissionsOf(member: number): Set<string> {
    if (member === 0) return new Set(PERMISSIONS);
    return new Set([...this.heldBy(member)].flatMap((role) => [...setAt(this.definitions, role)]));
  }

  /** Whether the actor may change the use of the roles for the members. */
  private mayUse(
    actor: number,
    roles: Iterable<number>,
    changed: Iterable<number>,
    members: Iterable<number>,
  ): boolean {
    const own = this.permissionsOf(actor);
    const covers = (names: Iterable<string>) => [...names].every((name) => own.has(name));
    const held = this.heldBy(actor);
    const [used, touched] = [[...roles], [...changed]];
    return (
      used.every((role) => covers(setAt(this.definitions, role))) &&
      touched.every((role) => !held.has(role)) &&
      [...members].every((member) => member !== 0 || actor === 0) &&
      [...members].every((member) => covers(this.permissionsOf(member)))
    );
  }

  /** Whether the edit is possible: an acceptance needs an open invitation of a member who may still invite. */
  offers({ kind }: Edit): boolean {
    if (kind === "invite") return this.invitations.length + this.joined < NEWCOMERS;
    if (kind !== "accept") return true;
    const [oldest] = this.invitations;
    return oldest !== undefined && this.permissionsOf(oldest.actor).has(neededFor("invite"));
  }

  /** The permissions of the grantor; platform, identity provider and directory apply what editors have granted. */
  grantorOf(edit: Edit): Set<string> {
    if ("actor" in edit) return this.permissionsOf(edit.actor);
    return edit.kind === "accept" ? this.permissionsOf(this.invitations[0]?.actor ?? 0) : new Set(PERMISSIONS);
  }

  permits(edit: Edit): boolean {
    if (!("actor" in edit)) return FOLLOWING.includes(edit.kind);
    const { actor } = edit;
    const own = this.permissionsOf(actor);
    if (!own.has(neededFor(edit.kind))) return false;
    switch (edit.kind) {
      case "invite":
        return this.mayUse(actor, edit.roles, edit.roles, []);
      case "map":
      case "rule": {
        const before = edit.kind === "map" ? this.mapped : this.ruled;
        const changed = difference(before, new Set(edit.roles));
        return this.mayUse(actor, changed, changed, []);
      }
      case "assign": {
        const changed = difference(setAt(this.assigned, edit.target), new Set(edit.roles));
        return actor !== edit.target && this.mayUse(actor, changed, changed, [edit.target]);
      }
      case "define":
        return this.mayUse(actor, [edit.role], [edit.role], []) && edit.permissions.every((name) => own.has(name));
      case "place": {
        const roles = setAt(this.granted, edit.group);
        return (roles.size === 0 || actor !== edit.target) && this.mayUse(actor, roles, roles, [edit.target]);
      }
      case "grant": {
        const [before, after] = [setAt(this.granted, edit.group), new Set(edit.roles)];
        const [changed, members] = [difference(before, after), setAt(this.places, edit.group)];
        if (changed.length > 0 && members.has(actor)) return false;
        return this.mayUse(actor, [...before, ...after], changed, changed.length > 0 ? members : []);
      }
    }
  }

  apply(edit: Edit): void {
    switch (edit.kind) {
      case "assign":
        this.assigned[edit.target] = new Set(edit.roles);
        break;
      case "define":
        this.definitions[edit.role] = new Set(edit.permissions);
        break;
      case "grant":
        this.granted[edit.group] = new Set(edit.roles);
        break;
      case "template":
        this.definitions[ROLES] = new Set(edit.permissions);
        break;
      case "invite":
        this.invitations.push(edit);
        break;
      case "accept":
        this.join();
        break;
      case "map":
        this.mapped = new Set(edit.roles);
        break;
      case "rule":
        this.ruled = new Set(edit.roles);
        this.bySignIn = new Set([...this.bySignIn].filter((role) => this.ruled.has(role)));
        break;
      case "enter":
        this.enter();
        break;
      case "provision":
        this.isRecordInGroup = edit.isIn;
        break;
      case "place":
        if (edit.isIn) setAt(this.places, edit.group).add(edit.target);
        else setAt(this.places, edit.group).delete(edit.target);
    }
  }

  /** A sign-in grants the roles of the rules that the employee has by no other way. */
  private enter(): void {
    const held = this.heldByEdits(EMPLOYEE);
    this.bySignIn = new Set([...this.ruled].filter((role) => !held.has(role)));
  }

  /** A role beyond the present permissions of the inviter is dropped. */
  private join(): void {
    const invitation = this.invitations.shift();
    if (!invitation) throw new Error("no open invitation");
    const power = this.permissionsOf(invitation.actor);
    this.joined += 1;
    const granted = invitation.roles.filter((role) =>
      [...setAt(this.definitions, role)].every((name) => power.has(name)),
    );
    this.assigned[RECORD + this.joined] = new Set(granted);
  }
}

function setAt<T>(sets: readonly Set<T>[], index: number): Set<T> {
  const found = sets[index];
  if (!found) throw new Error(`the model has no index ${index}`);
  return found;
}

function difference(before: ReadonlySet<number>, after: ReadonlySet<number>): number[] {
  return [...[...before].filter((each) => !after.has(each)), ...[...after].filter((each) => !before.has(each))];
}

const actor = fc.nat(EDITORS);
const target = fc.integer({ min: 1, max: RECORD });
const group = fc.nat(GROUPS - 1);
const roles = fc.uniqueArray(fc.nat(ROLES), { maxLength: 2 });
export const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("assign" as const), actor, target, roles }),
  fc.record({
    kind: fc.constant("define" as const),
    actor,
    role: fc.nat(ROLES - 1),
    permissions: fc.subarray([...PERMISSIONS]),
  }),
  fc.record({ kind: fc.constant("place" as const), actor, target, group, isIn: fc.boolean() }),
  fc.record({ kind: fc.constant("grant" as const), actor, group, roles }),
  fc.record({ kind: fc.constant("template" as const), permissions: fc.subarray(TEMPLATE_PERMISSIONS) }),
  fc.record({ kind: fc.constant("invite" as const), actor, roles }),
  fc.record({ kind: fc.constant("accept" as const) }),
  fc.record({ kind: fc.constantFrom("map" as const, "rule" as const), actor, roles }),
  fc.record({ kind: fc.constant("enter" as const) }),
  fc.record({ kind: fc.constant("provision" as const), isIn: fc.boolean() }),
);
