import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAIL_FOLDER_FILES_MAX } from "../../limits/email-limits.ts";
import { mailJson } from "./http.ts";
import type { Mail, MailProvider } from "./mail.ts";

export interface FolderMailOptions {
  readonly directory: string;
  readonly from: string;
  /** Prints the mail to the terminal of the developer. */
  readonly print: (text: string) => void;
}

/**
 * Embedded mode: writes a mail as `<id>.json`, the body of the HTTP provider call, and `<id>.html` for a browser, and
 * prints its text. Deletes the oldest beyond `MAIL_FOLDER_FILES_MAX` files.
 */
export function folderMail(options: FolderMailOptions): MailProvider {
  return {
    name: "folder",
    async send(mail) {
      try {
        await mkdir(options.directory, { recursive: true, mode: 0o700 });
        await write(options.directory, `${mail.id}.html`, mail.html);
        await write(options.directory, `${mail.id}.json`, JSON.stringify(mailJson(options.from, mail), null, 2));
        await prune(options.directory);
        options.print(printed(mail));
        return { outcome: "sent" };
      } catch (error) {
        return { outcome: "failed", cause: error instanceof Error ? error.message : "cannot write" };
      }
    },
  };
}

/** Writes to a temporary name first, so a program watching the folder never reads a partial file. */
async function write(directory: string, name: string, content: string): Promise<void> {
  const path = join(directory, name);
  await writeFile(`${path}.part`, content, { mode: 0o600 });
  await rename(`${path}.part`, path);
}

/** Names are UUIDs of version 7, which sort by time. */
async function prune(directory: string): Promise<void> {
  const names = (await readdir(directory)).sort();
  for (const name of names.slice(0, Math.max(0, names.length - MAIL_FOLDER_FILES_MAX))) {
    await rm(join(directory, name), { force: true });
  }
}

function printed({ to, subject, text }: Mail): string {
  const lines = [`To: ${to}`, `Subject: ${subject}`, "", ...text.trimEnd().split("\n")];
  return ["", ...lines.map((line) => `  | ${line}`.trimEnd()), ""].join("\n");
}

/** A mail as stored in this folder. */
export interface KeptMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: Date;
}

/** The newest `MAILS_SHOWN` mails of the folder, newest first; an empty list if the folder does not exist. */
export async function readKeptMails(directory: string): Promise<KeptMail[]> {
  const names = await readdir(directory).catch(() => [] as string[]);
  const newest = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse()
    .slice(0, MAILS_DISPLAYED);
  return await Promise.all(newest.map((name) => readMail(directory, name)));
}

const MAILS_DISPLAYED = 50;

async function readMail(directory: string, name: string): Promise<KeptMail> {
  const mail = JSON.parse(await readFile(join(directory, name), "utf8"));
  const id = name.slice(0, -".json".length);
  // The first 48 bits of a UUID of version 7 are the time (RFC 9562, section 5.7).
  const at = new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
  return { id, to: String(mail.to), subject: mail.subject, text: mail.text, html: mail.html, at };
}
