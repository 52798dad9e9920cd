import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAIL_FOLDER_FILES_MAX } from "../../base/limits.ts";
import { mailJson } from "./http.ts";
import type { Mail, MailProvider } from "./mail.ts";

export interface FolderMailOptions {
  readonly directory: string;
  readonly from: string;
  /** Prints the mail to the terminal of the developer. */
  readonly print: (text: string) => void;
}

/**
 * Embedded mode: writes each mail as `<id>.json`, the body of the HTTP provider call, and `<id>.html` for a browser,
 * and prints its text. Deletes the oldest beyond `MAIL_FOLDER_FILES_MAX` files. /
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

/** Writes to a temporary name first, so that a program that watches the folder never reads a partial file. */
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
