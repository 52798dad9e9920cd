/** Brands of organizations and applications. */
import sharp from "sharp";
import type { Client } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { founded } from "./team.ts";

export const TEAL = { accent: "#0f766e", radius: 2, terms_url: "https://teal.test/terms" };
export const ROSE = { accent: "#e11d48", support_url: "https://rose.test/help" };

export const logo = (background: string, width = 200, height = 50) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

export function fileForm(content: Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([content as Uint8Array<ArrayBuffer>], "logo.png", { type: "image/png" }));
  return new Request("http://x", { method: "PUT", body: form });
}

/** Returns the path of the stored logo. */
export async function putLogo(client: Client, path: string, content: Uint8Array): Promise<string> {
  const request = fileForm(content);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  const stored = await client.request("PUT", path, { raw: request.body as ReadableStream, headers });
  return new URL(stored.body.logo_url).pathname;
}

/** An organization with a brand and a logo. */
export async function branded(at: Deployment, name: string, settings: object, background: string) {
  const owner = await founded(at, { organization_name: name });
  const path = `/v1/orgs/${owner.organizationId}/brand`;
  await owner.client.request("PUT", path, { body: settings });
  return { ...owner, name, logo: await putLogo(owner.client, `${path}/logo`, await logo(background)) };
}
