import { defineCommand } from "citty";
import { setRole } from "../flows/platform/set-role.ts";
import { isPlatformRole, PLATFORM_ROLES, type PlatformRole } from "../models/user/platform-role.ts";
import { withFoundation } from "./configured.ts";

const args = {
  email: { type: "positional", required: true, description: "E-mail address of the user" },
  role: { type: "positional", required: true, description: PLATFORM_ROLES.join(", ") },
} as const;

export const grantCommand = defineCommand({
  meta: { name: "grant", description: "Grant a platform role to a user" },
  args,
  async run({ args }) {
    process.exitCode = await change(args.email, args.role, (role) => role);
  },
});

export const revokeCommand = defineCommand({
  meta: { name: "revoke", description: "Revoke the platform role of a user" },
  args,
  async run({ args }) {
    process.exitCode = await change(args.email, args.role, () => null);
  },
});

/** Returns the exit code. */
async function change(
  email: string,
  role: string,
  roleAfter: (role: PlatformRole) => PlatformRole | null,
): Promise<number> {
  if (!isPlatformRole(role)) {
    console.error(`There is no platform role ${role}; there are ${PLATFORM_ROLES.join(", ")}.`);
    return 2;
  }
  const newRole = roleAfter(role);
  const outcome = await withFoundation((foundation) =>
    setRole(foundation, { email, role: newRole, controlledOnly: false, source: "command" }),
  );
  if (!outcome.ok) {
    console.error(`${email}: ${outcome.error.message}`);
    return 1;
  }
  console.log(`${email}: ${outcome.value ? `platform role is now ${newRole ?? "none"}` : "nothing to change"}`);
  return 0;
}
