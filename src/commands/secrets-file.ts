import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { DisplayedClient } from "../flows/oauth/clients/administer-clients.ts";

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** Receives the secrets of new clients: a JSON object on each line. */
export interface SecretsFile {
  append(changed: DisplayedClient): void;
  close(): void;
}

/** Opens the file for appending, before any change. Throws for a file that other users of the machine may read. */
export function openSecretsFile(path: string): SecretsFile {
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, OWNER_ONLY);
  const stat = fstatSync(fd);
  if (!stat.isFile() || (stat.mode & OTHERS) !== 0) {
    closeSync(fd);
    throw new Error(`${path}: secrets go only to a file with mode 0600.`);
  }
  return {
    append({ client, secret }) {
      const line = { client_id: client.id, name: client.name, client_secret: secret };
      try {
        writeSync(fd, `${JSON.stringify(line)}\n`);
        fsyncSync(fd);
      } catch (error) {
        const remedy = `make a new secret with clients rotate ${client.id}`;
        throw new Error(`${path}: the secret cannot be written: ${remedy}`, { cause: error });
      }
    },
    close: () => closeSync(fd),
  };
}
