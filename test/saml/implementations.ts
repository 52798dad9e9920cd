/** The judgement of further implementations of SAML about jobs: the accepted NameID, or null. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SAML } from "@node-saml/node-saml";
import type { SamlResponseJob } from "../../src/pool/saml-protocol.ts";
import { formText } from "../../workers/saml/form-value.ts";
import { installDebianPackages } from "../support/packages.ts";
import { samlKeys } from "../support/saml/keys.ts";
import { ACS, IDP, NOW, REQUEST_ID, SERVICE } from "../support/saml/message.ts";

export type Verdicts = Readonly<Record<string, readonly (string | null)[]>>;

const SAMLIFY = "samlify@2.13.1";
const LIBRARIES = ["python3-onelogin-saml2", "python3-lasso", "python3-pysaml2"];
const PACKAGES = [...LIBRARIES, "xmlsec1", "faketime"].join(" ");
/** Debian's interpreter: only this interpreter has the packages. */
const PYTHON = "/usr/bin/python3";
const JUDGEMENT_DELAY_MS = 10_000;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const certificateBody = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");

/** `@node-saml/node-saml` by itself, with the settings of its documentation. */
export async function judgeByNodeSaml(jobs: readonly SamlResponseJob[]): Promise<Verdicts> {
  const verdicts: (string | null)[] = [];
  for (const { message, trust, now } of jobs) {
    const [decryptionPvk] = trust.decryptionKeys;
    class NodeSaml extends SAML {
      protected override checkTimestampsValidityError(_: number, notBefore: string, notOnOrAfter: string) {
        return super.checkTimestampsValidityError(now, notBefore, notOnOrAfter);
      }
    }
    const saml = new NodeSaml({
      callbackUrl: trust.acsUrl,
      issuer: trust.spEntityId,
      idpIssuer: trust.entityId,
      idpCert: [...trust.certificates],
      wantAssertionsSigned: trust.signedElement === "assertion",
      wantAuthnResponseSigned: false,
      acceptedClockSkewMs: 60_000,
      ...(decryptionPvk === undefined ? {} : { decryptionPvk }),
    });
    const judgement = saml.validatePostResponseAsync({ SAMLResponse: formText(message) });
    verdicts.push(await judgement.then(({ profile }) => profile?.nameID ?? null).catch(() => null));
  }
  return { "node-saml": verdicts };
}

function inputOf(jobs: readonly SamlResponseJob[]): string {
  const { key, certificate } = samlKeys.service();
  return JSON.stringify({
    service: SERVICE,
    acs: ACS,
    idp: IDP,
    ssoUrl: "https://idp.acme.example/sso",
    requestId: REQUEST_ID,
    serviceKey: key,
    serviceCertificate: certificateBody(certificate),
    cases: jobs.map(({ message, trust }) => ({
      message,
      certificates: trust.certificates.map(certificateBody),
      signedElement: trust.signedElement,
      encrypted: trust.encryptedAssertions === "required",
    })),
  });
}

/** samlify, fetched with npm. */
export function judgeBySamlify(jobs: readonly SamlResponseJob[]): Verdicts {
  const folder = join(tmpdir(), `identity-${SAMLIFY}`);
  if (!existsSync(join(folder, "node_modules/samlify"))) {
    mkdirSync(folder, { recursive: true });
    const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    execFileSync("npm", ["install", "--prefix", folder, ...quiet, SAMLIFY], { stdio: ["ignore", "ignore", "inherit"] });
  }
  const script = fileURLToPath(new URL("judge-samlify.mjs", import.meta.url));
  return run(process.execPath, [script], jobs, { SAMLIFY_FOLDER: folder, CORPUS_NOW: String(NOW) });
}

/** The libraries of Debian, at the time of the corpus. */
export function judgeByDebian(jobs: readonly SamlResponseJob[]): Verdicts {
  installDebianPackages(PACKAGES);
  const folder = mkdtempSync(join(tmpdir(), "identity-saml-"));
  const files = {
    SERVICE_KEY_FILE: join(folder, "key.pem"),
    SERVICE_CERTIFICATE_FILE: join(folder, "certificate.pem"),
  };
  writeFileSync(files.SERVICE_KEY_FILE, samlKeys.service().key, { mode: 0o600 });
  writeFileSync(files.SERVICE_CERTIFICATE_FILE, samlKeys.service().certificate);
  // The certificates were made after the start of this process.
  const time = `@${new Date(NOW + JUDGEMENT_DELAY_MS).toISOString().slice(0, 19).replace("T", " ")}`;
  const script = fileURLToPath(new URL("judge.py", import.meta.url));
  const judge = (name: string) => run("faketime", ["-f", time, PYTHON, script, name], jobs, { ...files, TZ: "UTC" });
  return Object.assign({}, ...LIBRARIES.map(judge));
}

function run(command: string, args: string[], jobs: readonly SamlResponseJob[], env: Record<string, string>): Verdicts {
  const output = execFileSync(command, args, {
    input: inputOf(jobs),
    env: { ...process.env, ...env },
    maxBuffer: OUTPUT_MAX_BYTES,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return JSON.parse(output.toString());
}
