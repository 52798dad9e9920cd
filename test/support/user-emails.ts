/** A user with a proven address, and the links of the emails about the user's addresses. */
import { Client, newEmail, PASSWORD, registered } from "./client.ts";
import type { Deployment } from "./deployment.ts";
import { RESET_LINK, tokenTo, VERIFY_LINK } from "./mail.ts";

export const CHANGE_LINK = /^http:\/\/localhost:3000\/change-email\?token=([A-Za-z0-9_-]{43})$/m;
export const UNDO_LINK = /^http:\/\/localhost:3000\/undo-email\?token=([A-Za-z0-9_-]{43})$/m;
export const IN_USE = /belongs to an account already/;
export const NOTICE = /address was requested|primary address was changed/;

/** Registers a user who confirms the address in the session of the registration. */
export async function provenUser(at: Deployment) {
  const person = await registered(at.one.url);
  const token = await tokenTo(at.mail, person.email, VERIFY_LINK);
  await expectStatus(person.client.post("/v1/auth/email/verify", { token }), 204);
  return person;
}

export type ProvenUser = Awaited<ReturnType<typeof provenUser>>;

export async function expectStatus<T extends { status: number; text: string }>(sent: Promise<T>, status: number) {
  const response = await sent;
  if (response.status !== status) throw new Error(`${response.status} in place of ${status}: ${response.text}`);
  return response;
}

export const confirm = (client: Client, token: string) => client.post("/v1/auth/email/change", { token });
export const undo = (url: string, token: string) => new Client(url).post("/v1/auth/email/change/undo", { token });

/** Requests a change of the primary address, without the confirmation. */
export async function requestChange(client: Client, email = newEmail()): Promise<string> {
  await expectStatus(client.post("/v1/users/me/email", { new_email: email, password: PASSWORD }), 204);
  return email;
}

/** Changes the primary address; returns the new address and the undo link of the notice to the former address. */
export async function changeAddress(at: Deployment, { client, email }: Pick<ProvenUser, "client" | "email">) {
  const changed = await requestChange(client);
  await expectStatus(confirm(client, await tokenTo(at.mail, changed, CHANGE_LINK)), 204);
  return { changed, undoToken: await tokenTo(at.mail, email, UNDO_LINK) };
}

/** Adds an address; returns the address, its id, and the undo link of the notice to the primary address. */
export async function addAddress(at: Deployment, { client, email }: Pick<ProvenUser, "client" | "email">) {
  const added = newEmail();
  await expectStatus(client.post("/v1/users/me/emails", { email: added, password: PASSWORD }), 204);
  await expectStatus(confirm(client, await tokenTo(at.mail, added, CHANGE_LINK)), 204);
  const { body } = await client.get("/v1/users/me/emails");
  const id = String(body.items.find((item: { email: string }) => item.email === added).id);
  return { added, id, undoToken: await tokenTo(at.mail, email, UNDO_LINK) };
}

/** Requests a reset link for an address and sets a password with the link of the email to this address. */
export async function resetBy(at: Deployment, email: string, password: string, nth = 1) {
  await new Client(at.one.url).post("/v1/auth/password/forgot", { email });
  const token = await tokenTo(at.mail, email, RESET_LINK, nth);
  return await new Client(at.one.url).post("/v1/auth/password/reset", { token, new_password: password });
}
