import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let certificate: { readonly key: string; readonly cert: string; readonly file: string } | undefined;

/**
 * Creates a self-signed certificate for localhost and 127.0.0.1. `file` is the value of NODE_EXTRA_CA_CERTS for a
 * replica.
 */
export function testCertificate() {
  if (certificate) return certificate;
  const folder = mkdtempSync(join(tmpdir(), "identity-certificate-"));
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const command = ["openssl", "req", "-x509", ...curve, "-keyout", key, "-out", file, "-days", "2", ...names];
  const made = Bun.spawnSync(command);
  if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr}`);
  certificate = { key: readFileSync(key, "utf8"), cert: readFileSync(file, "utf8"), file };
  return certificate;
}

/** Returns the settings with which a replica may call webhook receivers on this machine. */
export function allowsReceivers(): Record<string, string> {
  return { NODE_EXTRA_CA_CERTS: testCertificate().file, SERVICE_WEBHOOK_ALLOW: "127.0.0.0/8" };
}
