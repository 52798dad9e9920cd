import { defineCommand } from "citty";
import { setRole } from "../flows/platform/set-role.ts";
import { isPlatformRole, PLATFORM_ROLES } from "../models/user/platform-role.ts";
import { withFoundation } from "./configured.ts";

const args = {
  email: { type: "positional", required: true, description: "Email address of the user" },
  role: { type: "positional", required: true, description: PLATFORM_ROLES.join(", ") },
} as const;

export const grantCommand = defineCommand({
  meta: { name: "grant", description: "Grant a platform role to a user" },
  args,
  async run({ args }) {
    process.exitCode = await change(args.email, args.role, "grant");
  },
});

export const revokeCommand = defineCommand({
  meta: { name: "revoke", description: "Revoke the platform role of a user" },
  args,
  async run({ args }) {
    process.exitCode = await change(args.email, args.role, "revoke");
  },
});

/** Returns the exit code. */
async function change(email: string, role: string, action: "grant" | "revoke"): Promise<number> {
  if (!isPlatformRole(role)) {
    console.error(`There is no platform role ${role}; there are ${PLATFORM_ROLES.join(", ")}.`);
    return 2;
  }
  const change = action === "grant" ? { role } : { role: null, onlyFrom: role };
  const outcome = await withFoundation((foundation) =>
    setRole(foundation, { email, ...change, controlledOnly: false, source: "command" }),
  );
  if (!outcome.ok) {
    console.error(`${email}: ${outcome.error.message}`);
    return 1;
  }
  console.log(`${email}: ${outcome.value ? `platform role is now ${change.role ?? "none"}` : "nothing to change"}`);
  return 0;
}
