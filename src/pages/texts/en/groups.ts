/** English: groups of members. */
import type { Shape } from "../shape.ts";

export const groupTexts = {
  groups: {
    title: "Groups",
    lead: "A group is a list of members. Its roles apply to every member of the group.",
    group: "Group",
    create: "New group",
    createAction: "Create group",
    none: "No group yet. Create a group for a team or a task.",
    rolesOfMembers: "Roles of the members",
    add: "E‑mail address of a member",
    addAction: "Add",
    addedAt: "Added",
    noMembers: "The group has no member.",
    remove: "Delete group",
    removeText: "Members lose the roles of the group at once. The members remain in the organization.",
    created: "The group is created.",
    saved: "The group is saved. Members have the roles at once.",
    deleted: "The group is deleted.",
    added: "The member is added.",
    removed: "The member is removed from the group.",
    taken: "A group with this name exists, or the highest number of groups is reached.",
    tooManyRoles: "A member has at most 10 further roles.",
    tooManyForMember: "The member would have more than 10 further roles.",
    notMember: "No member of the organization has this address.",
    full: "The group has the highest number of members.",
    ofDirectory: "The directory manages this group.",
    notYours: "You do not have the permission to see the groups of the organization.",
    notYoursToChange: "You do not have the permission to change groups.",
    notIncluded: "Groups are not included in the plan of your organization.",
    removeTitle: (name: string) => `Delete the group ${name}?`,
    fixed: {
      directory: "The directory manages this group. Roles of the group are assigned on the page of the directory.",
      permission: "You do not have the permission to change groups.",
      above: "The group grants a role with a permission that you do not have. You cannot change the group.",
    },
  },
};

export type GroupTexts = Shape<typeof groupTexts>;
