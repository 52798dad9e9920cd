/**
 * A real identity provider: simplesamlphp from Debian 12, the last release with this package, unpacked without Apache
 * and served by the PHP of this machine's release. The IdP validates the signatures of requests.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../db/embedded.ts";
import { dieWithParent } from "../die-with-parent.ts";
import { unpackFromRelease, unpackWithDependencies } from "../packages.ts";
import { eventually } from "../waiting.ts";
import { samlKeys } from "./keys.ts";

/** The version in the names of PHP's packages, which `php-cli` names. */
const PHP_VERSION = "$(apt-cache depends php-cli | sed -n 's/.*Depends: php\\([0-9.]*\\)-cli/\\1/p')";
const PHP_PACKAGES = ["cli", "common", "xml", "mbstring", "curl"].map((name) => `php${PHP_VERSION}-${name}`).join(" ");
const UNPACKED_PHP = join(tmpdir(), "identity-php");
const PHP_ROOT = join(UNPACKED_PHP, "root/usr");
const PHP_LIBRARIES = join(PHP_ROOT, "lib/x86_64-linux-gnu");
const UNPACKED = join(tmpdir(), "identity-simplesamlphp");
const RELEASE = "bookworm";
const EXTENSIONS = ["ctype", "tokenizer", "posix", "curl", "dom", "mbstring", "simplexml", "xml", "xmlreader"];
const HOPS_MAX = 6;
const START_DEADLINE_MS = 20_000;

export interface SimpleSamlPhp {
  readonly metadataUrl: string;
  /** The folder of the configuration, of the keys and of the log. */
  readonly folder: string;
  /** Replaces the only service that may ask for users. Values are PHP. */
  register(service: { readonly entityId: string; readonly acsUrl: string; readonly options: string }): void;
  /** Sends a request as a browser, signs in as `student`, and returns the form that the browser posts to the ACS. */
  signIn(url: string, form?: Readonly<Record<string, string>>): Promise<{ SAMLResponse: string; RelayState: string }>;
  stop(): void;
}

const plainly = (port: number) => `http://127.0.0.1:${port}`;

/** `serve` returns the public address of the server on a loopback port. */
export async function startSimpleSamlPhp(serve = plainly): Promise<SimpleSamlPhp> {
  unpackWithDependencies(PHP_PACKAGES, UNPACKED_PHP);
  unpackFromRelease(RELEASE, "simplesamlphp", UNPACKED);
  const folder = mkdtempSync(join(tmpdir(), "identity-simplesamlphp-"));
  const port = await freePort();
  const url = `${serve(port)}/simplesaml/`;
  writeConfiguration(folder, url);
  const php = join(PHP_ROOT, "bin", nameIn("bin", /^php[0-9.]+$/));
  const args = ["-c", join(folder, "php.ini"), "-S", `127.0.0.1:${port}`, join(folder, "router.php")];
  const settings = { PHP_CLI_SERVER_WORKERS: "4", SIMPLESAMLPHP_CONFIG_DIR: join(folder, "config") };
  const environment = { ...process.env, ...settings, LD_LIBRARY_PATH: PHP_LIBRARIES };
  const child = spawn(...dieWithParent(php, args), { cwd: folder, env: environment, stdio: "ignore" });
  const metadataUrl = `${url}saml2/idp/metadata.php`;
  await eventually(
    "simplesamlphp responds",
    START_DEADLINE_MS,
    async () =>
      (await fetch(`${plainly(port)}/simplesaml/saml2/idp/metadata.php`).catch(() => undefined))?.status === 200,
  );
  return {
    metadataUrl,
    folder,
    register({ entityId, acsUrl, options }) {
      const service = `$metadata['${entityId}'] = ['AssertionConsumerService' => '${acsUrl}', ${options}];`;
      writeFileSync(join(folder, "config/metadata/saml20-sp-remote.php"), `<?php ${service}`);
    },
    signIn,
    stop: () => void child.kill("SIGKILL"),
  };
}

/** The name of a file in a folder of PHP, which contains a version. */
function nameIn(folder: string, pattern: RegExp): string {
  const found = readdirSync(join(PHP_ROOT, folder)).find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`PHP has no ${pattern} in ${folder}`);
  return found;
}

/** The browser of a sign-in: follows redirects, keeps cookies, fills in the form of the IdP. */
async function signIn(start: string, form?: Readonly<Record<string, string>>) {
  const cookies = new Map<string, string>();
  const send = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const init = body ? { method: "POST", body } : {};
    const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  let url = start;
  let response = await send(url, form && new URLSearchParams(form));
  for (let hops = 0; response.headers.has("location") && hops < HOPS_MAX; hops += 1) {
    url = new URL(response.headers.get("location") ?? "", url).href;
    response = await send(url);
  }
  const state = fieldOf(await response.text(), "AuthState");
  const credentials = { username: "student", password: "studentpass", AuthState: state };
  const html = await (await send(url, new URLSearchParams(credentials))).text();
  return { SAMLResponse: fieldOf(html, "SAMLResponse"), RelayState: fieldOf(html, "RelayState") };
}

function fieldOf(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (value === undefined) throw new Error(`simplesamlphp: ${html.replace(/<[^>]+>|\s+/g, " ").slice(0, 500)}`);
  return value.replaceAll("&amp;", "&");
}

function writeConfiguration(folder: string, url: string): void {
  const config = join(folder, "config");
  for (const name of ["config/metadata", "cert", "data", "log", "tmp"])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(UNPACKED, "root/usr/share/simplesamlphp/www"), join(folder, "simplesaml"));
  writeFileSync(join(folder, "cert/idp.pem"), samlKeys.idp().key, { mode: 0o600 });
  writeFileSync(join(folder, "cert/idp.crt"), samlKeys.idp().certificate);
  writeFileSync(join(config, "config.php"), configuration(folder, url));
  writeFileSync(join(config, "authsources.php"), USERS);
  writeFileSync(join(config, "metadata/saml20-idp-hosted.php"), HOSTED);
  writeFileSync(join(config, "metadata/saml20-sp-remote.php"), "<?php");
  writeFileSync(join(folder, "router.php"), ROUTER);
  const modules = join(PHP_ROOT, "lib/php", nameIn("lib/php", /^[0-9]{8}$/));
  // Notices of PHP 8 about deprecated functions would precede the headers.
  const quiet = ["display_errors=0", "disable_functions=set_error_handler"];
  const settings = [...quiet, "output_buffering=65536", "date.timezone=UTC"];
  const extensions = EXTENSIONS.map((name) => `extension=${modules}/${name}.so`);
  writeFileSync(join(folder, "php.ini"), [...extensions, ...settings].join("\n"));
}

const configuration = (folder: string, url: string) => `<?php $config = [
  'baseurlpath' => '${url}', 'certdir' => '${folder}/cert/', 'loggingdir' => '${folder}/log/',
  'datadir' => '${folder}/data/', 'tempdir' => '${folder}/tmp', 'metadatadir' => '${folder}/config/metadata/',
  'logging.handler' => 'file', 'logging.level' => 4, 'logging.logfile' => 'idp.log', 'errorreporting' => false,
  'secretsalt' => 'of-the-tests', 'auth.adminpassword' => 'of-the-tests', 'timezone' => 'UTC', 'authproc.idp' => [],
  'technicalcontact_name' => 'tests', 'technicalcontact_email' => 'tests@acme.example', 'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true], 'store.type' => 'phpsession',
  'session.cookie.secure' => false, 'session.phpsession.savepath' => '${folder}/tmp',
  'language.available' => ['en'], 'language.default' => 'en', 'theme.use' => 'default',
  'metadata.sources' => [['type' => 'flatfile']],
];`;

const USERS = `<?php $config = ['userpass' => ['exampleauth:UserPass', 'student:studentpass' => [
  'uid' => ['student'], 'mail' => ['student@acme.example'], 'displayName' => ['Jürgen Müller'],
  'eduPersonAffiliation' => ['member', 'student'],
]]];`;

const HOSTED = `<?php $metadata['__DYNAMIC:1__'] = [
  'host' => '__DEFAULT__', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt', 'auth' => 'userpass',
  'SingleSignOnServiceBinding' => ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
    'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'],
  'attributes.NameFormat' => 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
];`;

/**
 * The server of PHP does not split the path behind a script. The error handler of simplesamlphp fails at deprecations
 * of PHP 8.4, which the compilation of its own classes causes. A script may define a function that the settings
 * disable.
 */
const ROUTER = `<?php
function set_error_handler() { return null; }
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (!preg_match('#^/simplesaml/(.*?\\.php)(/.*)?$#', $path, $found)) return false;
$_SERVER['SCRIPT_NAME'] = '/simplesaml/' . $found[1];
$_SERVER['SCRIPT_FILENAME'] = __DIR__ . $_SERVER['SCRIPT_NAME'];
if (isset($found[2])) $_SERVER['PATH_INFO'] = $found[2];
chdir(dirname($_SERVER['SCRIPT_FILENAME']));
require $_SERVER['SCRIPT_FILENAME'];
`;
