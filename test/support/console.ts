import { newEmail, PASSWORD } from "./client.ts";
import { codeOf, forgetUsedStep } from "./mfa.ts";
import { FormClient, type PageSite } from "./pages.ts";
import { verifySessionsOf } from "./platform.ts";

/** A value of `SERVICE_CONFIG_KEY`: base64 of 32 bytes. */
export const CONFIG_KEY = Buffer.alloc(32, 7).toString("base64");
/** Breaks out of an attribute value and of text content, unless the page escapes the value. */
export const SCRIPT = `"><script>alert(1)</script>'`;

export interface Administrator {
  readonly forms: FormClient;
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly site: PageSite;
}

/** Creates a user who registered by the form and confirmed the address, with a platform role or without a role. */
export async function administrator(site: PageSite, role: "viewer" | "admin" | "owner" | null): Promise<Administrator> {
  const forms = new FormClient(site.origin);
  const email = newEmail();
  const response = await forms.post("/register", { email, organization_name: "Engines", password: PASSWORD });
  if (response.status !== 303) throw new Error(`registering answered ${response.status}: ${response.text}`);
  const [user] = await site.sql`
    update users set platform_role = ${role}, controlled_at = now(), email_verified_at = now() where email = ${email}
    returning id, last_organization_id`;
  await verifySessionsOf(site, String(user?.id));
  return { forms, email, userId: String(user?.id), organizationId: String(user?.last_organization_id), site };
}

/** Sets up an authenticator app and presents a code, by the forms. */
export async function stepUp({ forms, site, userId }: Administrator): Promise<{ readonly secret: string }> {
  const path = "/account/security/authenticator";
  const csrf = await forms.csrf("/account/security");
  const begun = await forms.post(path, { step: "begin", csrf });
  const secret = /secret=([A-Z2-7]+)/.exec(begun.text)?.[1] ?? "";
  await forms.post(path, { step: "enable", code: codeOf(secret), csrf });
  await forgetUsedStep(site.sql, userId);
  const shown = await forms.post("/step-up?return_to=/admin", { code: codeOf(secret), csrf });
  if (shown.headers.get("location") !== "/admin") throw new Error(`the step-up answered ${shown.status}`);
  return { secret };
}
