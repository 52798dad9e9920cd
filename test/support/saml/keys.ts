import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SamlKey {
  /** PKCS #8 in PEM form. */
  readonly key: string;
  /** A self-signed certificate in PEM form. */
  readonly certificate: string;
}

const made = new Map<string, SamlKey>();

/** A key by name, made at the first use. `kind`: as the option `-newkey` of openssl-req(1). */
export function samlKey(name: string, kind: readonly string[] = ["rsa:2048"], days = 30): SamlKey {
  const present = made.get(name);
  if (present) return present;
  const folder = mkdtempSync(join(tmpdir(), "identity-saml-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const files = ["-keyout", key, "-out", certificate, "-days", String(days)];
  const run = Bun.spawnSync([
    "openssl",
    "req",
    "-x509",
    "-newkey",
    ...kind,
    "-nodes",
    "-subj",
    `/CN=${name}`,
    ...files,
  ]);
  if (run.exitCode !== 0) throw new Error(`openssl: ${run.stderr}`);
  const pair = { key: readFileSync(key, "utf8"), certificate: readFileSync(certificate, "utf8") };
  made.set(name, pair);
  return pair;
}

/** The keys of the corpus. */
export const samlKeys = {
  idp: () => samlKey("idp"),
  nextIdp: () => samlKey("next-idp"),
  attacker: () => samlKey("attacker"),
  service: () => samlKey("service"),
  otherService: () => samlKey("other-service"),
  shortIdp: () => samlKey("short-idp", ["rsa:1024"]),
  ellipticIdp: () => samlKey("elliptic-idp", ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]),
};

/** A certificate of an identity provider, and the certificate of the authority that issued the certificate. */
export function certificateChain(): { readonly leaf: string; readonly authority: string } {
  const folder = mkdtempSync(join(tmpdir(), "identity-saml-chain-"));
  const { key, certificate: authority } = samlKey("authority");
  const path = (name: string) => join(folder, name);
  writeFileSync(path("authority.key"), key);
  writeFileSync(path("authority.pem"), authority);
  const request = ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=leaf"];
  const issue = ["x509", "-req", "-days", "30", "-CAcreateserial"];
  for (const args of [
    [...request, "-keyout", path("leaf.key"), "-out", path("leaf.csr")],
    [...issue, "-in", path("leaf.csr"), "-CA", path("authority.pem"), "-CAkey", path("authority.key")].concat([
      "-out",
      path("leaf.pem"),
    ]),
  ]) {
    const run = Bun.spawnSync(["openssl", ...args]);
    if (run.exitCode !== 0) throw new Error(`openssl: ${run.stderr}`);
  }
  return { leaf: readFileSync(path("leaf.pem"), "utf8"), authority };
}
