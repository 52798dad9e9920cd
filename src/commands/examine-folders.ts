/** The findings of `doctor` about folders that the service writes to: the cause by name, and the next step. */
import { closeSync, fsyncSync, openSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { causeOfFolder } from "../base/folder-cause.ts";
import type { Config } from "../config/config.ts";
import { FOLDER_FREE_MIN_BYTES, FOLDER_PROBE_BYTES } from "../limits/limits.ts";
import { type Finding, finding } from "./finding.ts";

/** Writes and removes a file in each folder, so that a folder is examined before the first export or checkpoint. */
export function examineFolders({ spoolDirectory, auditLog, dataDirectory, embedded }: Config): Finding[] {
  return [
    examineFolder("SERVICE_SPOOL_DIRECTORY", spoolDirectory, "exports of the audit log fail"),
    ...(auditLog.checkpointDirectory
      ? [examineFolder("SERVICE_AUDIT_CHECKPOINT_DIR", auditLog.checkpointDirectory, "no checkpoint is written")]
      : []),
    ...(embedded ? [examineFolder("SERVICE_DATA_DIRECTORY", dataDirectory, "the database stops")] : []),
  ];
}

function examineFolder(check: string, path: string, effect: string): Finding {
  try {
    writeProbe(join(path, `.identity-service-doctor-${process.pid}`));
    const { bavail, bsize } = statfsSync(path);
    if (bavail * bsize >= FOLDER_FREE_MIN_BYTES) return finding(check, "ok", "writable");
    const free = Math.floor((bavail * bsize) / 2 ** 20);
    return finding(check, "warning", `${free} MiB are free: ${effect} when the disk is full`, "free space");
  } catch (error) {
    const { cause, remedy } = causeOfFolder(error) ?? { cause: "cannot be written", remedy: "check the folder" };
    return finding(check, "failure", `${cause}: ${effect}`, remedy);
  }
}

function writeProbe(file: string): void {
  const fd = openSync(file, "wx", 0o600);
  try {
    writeSync(fd, Buffer.alloc(FOLDER_PROBE_BYTES, 1));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
    unlinkSync(file);
  }
}
