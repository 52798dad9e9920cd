/** LemonLDAP::NG from Debian, unpacked without a web server and served by its own PSGI program. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../db/embedded.ts";
import { dieWithParent } from "../support/die-with-parent.ts";
import { unpackWithDependencies } from "../support/packages.ts";
import { type SamlKey, samlKeys } from "../support/saml/keys.ts";
import { stopLater } from "../support/services.ts";
import { until } from "../support/waiting.ts";
import type { SamlProduct } from "./identity-provider.ts";
import { serveByTls } from "./pair.ts";
import type { Visitor } from "./visitor.ts";

/** The portal with the modules that SAML, OpenID Connect and a server by PSGI need beside its dependencies. */
const PACKAGES = [
  "liblemonldap-ng-portal-perl liblasso-perl libplack-perl libio-string-perl",
  "libcrypt-openssl-bignum-perl libxml-simple-perl libstring-random-perl",
].join(" ");
const UNPACKED = join(tmpdir(), "identity-lemonldap-openid");
const CAPTCHA = "Lemonldap/NG/Portal/Captcha";
const ABSENT_CAPTCHA = `package Lemonldap::NG::Portal::Captcha::Absent;
use Mouse;
extends 'Lemonldap::NG::Portal::Main::Plugin';
sub init { 1 }
1;
`;
/** The demonstration accounts of the product have this domain, and their names as passwords. */
const USER = "dwho";
export const EMAIL = "dwho@badwolf.org";

export class Portal {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #program: ChildProcess | undefined;
  #config: Readonly<Record<string, unknown>> = {};
  #revision = 0;

  private constructor(url: string, folder: string, port: number) {
    this.url = url;
    this.#folder = folder;
    this.#port = port;
  }

  /** `settings`: by the address of the portal. */
  static async start(settings: (url: string) => Readonly<Record<string, unknown>>): Promise<Portal> {
    unpackWithDependencies(PACKAGES, UNPACKED);
    const folder = mkdtempSync(join(tmpdir(), "identity-lemonldap-"));
    for (const name of ["conf", "sessions/lock", "psessions/lock", "saml/lock", "oidc/lock", "cache", `lib/${CAPTCHA}`])
      mkdirSync(join(folder, name), { recursive: true });
    const port = await freePort();
    const portal = new Portal(`${serveByTls(port)}/`, folder, port);
    writeFileSync(join(folder, "lemonldap-ng.ini"), iniOf(folder));
    writeFileSync(join(folder, "portal.psgi"), PROGRAM);
    writeFileSync(join(folder, `lib/${CAPTCHA}/Absent.pm`), ABSENT_CAPTCHA);
    stopLater(() => portal.#stop());
    await portal.configure({ ...baseOf(portal.url, folder), ...settings(portal.url) });
    return portal;
  }

  /** Adds settings, and starts the portal again. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#stop();
    // The next program would read the earlier settings for a second.
    rmSync(join(this.#folder, "cache"), { recursive: true, force: true });
    mkdirSync(join(this.#folder, "cache"));
    this.#revision += 1;
    this.#config = { ...this.#config, ...settings, cfgNum: this.#revision };
    writeFileSync(join(this.#folder, `conf/lmConf-${this.#revision}.json`), JSON.stringify(this.#config));
    const root = join(UNPACKED, "root");
    const libraries = join(root, "usr/lib/x86_64-linux-gnu");
    const architecture = join(libraries, "perl5", readdirSync(join(libraries, "perl5"))[0] ?? "");
    const program = join(root, "usr/bin/plackup");
    const args = [program, "-E", "deployment", "-o", "127.0.0.1", "-p", String(this.#port), "portal.psgi"];
    const log = openSync(join(this.#folder, "portal.log"), "a");
    this.#program = spawn(...dieWithParent("perl", args), {
      cwd: this.#folder,
      stdio: ["ignore", log, log],
      env: {
        ...process.env,
        PERL5LIB: `${this.#folder}/lib:${join(root, "usr/share/perl5")}:${architecture}`,
        // Debian has Lasso in the folder above.
        LD_LIBRARY_PATH: `${libraries}:${join(root, "usr/lib")}`,
        LLNG_DEFAULTCONFFILE: join(this.#folder, "lemonldap-ng.ini"),
        LLNG_JAVASCRIPT: join(root, "usr/share/javascript"),
        LLNG_STATIC: join(root, "usr/share/lemonldap-ng/portal/htdocs/static"),
      },
    });
    await until("the portal responds", async () => {
      const response = await fetch(`http://127.0.0.1:${this.#port}/`, { keepalive: false }).catch(() => undefined);
      return response !== undefined && response.status < 500;
    });
  }

  async #stop(): Promise<void> {
    const program = this.#program;
    if (!program || program.exitCode !== null || program.signalCode !== null) return;
    const exited = new Promise((resolve) => program.once("exit", resolve));
    program.kill("SIGKILL");
    await exited;
  }

  isAsking = async (visitor: Visitor) =>
    visitor.url().origin === new URL(this.url).origin && (await visitor.html()).includes('name="password"');

  async signIn(visitor: Visitor): Promise<void> {
    await visitor.arrive("the form of LemonLDAP::NG", (url) => url.origin === new URL(this.url).origin);
    // A new sign-in of an employee with a session begins after a question.
    if ((await visitor.html()).includes('name="forceUpgrade"')) await visitor.submit({});
    await visitor.submit({ user: USER, password: USER });
  }

  /** Lets a minute pass for the sessions: the product asks nobody again within 5 seconds. */
  age(): void {
    const sessions = join(this.#folder, "sessions");
    for (const name of readdirSync(sessions).filter((each) => each !== "lock")) {
      const file = join(sessions, name);
      const text = readFileSync(file, "utf8");
      writeFileSync(
        file,
        text.replace(/"_utime":"?(\d+)"?/, (_, at) => `"_utime":${Number(at) - 60}`),
      );
    }
  }

  async signOut(visitor: Visitor): Promise<void> {
    await visitor.open(`${this.url}?logout=1`);
  }
}

export async function startLemonldapSaml(): Promise<SamlProduct> {
  const portal = await Portal.start(() => ({ issuerDBSAMLActivation: 1, ...CLASSES, ...keysOf([samlKeys.idp()]) }));
  return {
    name: "LemonLDAP::NG",
    metadataUrl: `${portal.url}saml/metadata`,
    email: EMAIL,
    settings: { signed_element: "either", subject_from: "uid", email_from: "mail", display_name_from: "cn" },
    logoutUrl: `${portal.url}?logout=1`,
    isAsking: portal.isAsking,
    age: () => portal.age(),
    signIn: (visitor) => portal.signIn(visitor),
    signOut: (visitor) => portal.signOut(visitor),
    useKeys: (keys) => portal.configure(keysOf(keys)),
    async importService(metadata, isEncrypted) {
      const encryption = { samlSPMetaDataOptionsEncryptionMode: isEncrypted ? "assertion" : "none" };
      await portal.configure({
        samlSPMetaDataXML: { service: { samlSPMetaDataXML: metadata } },
        samlSPMetaDataExportedAttributes: { service: { mail: "1;mail", uid: "1;uid", cn: "1;cn" } },
        samlSPMetaDataOptions: { service: { ...SERVICE_OPTIONS, ...encryption } },
      });
    },
  };
}

const SERVICE_OPTIONS = {
  samlSPMetaDataOptionsNameIDFormat: "persistent",
  samlSPMetaDataOptionsSignSSOMessage: 1,
  samlSPMetaDataOptionsSignSLOMessage: 1,
  samlSPMetaDataOptionsCheckSSOMessageSignature: 1,
  samlSPMetaDataOptionsCheckSLOMessageSignature: 1,
};

/** A sign-in by password at an address with TLS has the level 2. */
const CLASSES = { samlAuthnContextMapPassword: 1, samlAuthnContextMapPasswordProtectedTransport: 2 };

/** The product has one key, and publishes its certificate. */
function keysOf([first]: readonly SamlKey[]) {
  return { samlServicePrivateKeySig: first?.key, samlServicePublicKeySig: first?.certificate };
}

const storeOf = (folder: string, name: string) => ({
  Directory: join(folder, name),
  LockDirectory: join(folder, name, "lock"),
  generateModule: "Lemonldap::NG::Common::Apache::Session::Generate::SHA256",
});

const baseOf = (url: string, folder: string) => ({
  authentication: "Demo",
  userDB: "Same",
  passwordDB: "Demo",
  registerDB: "Null",
  portal: url,
  domain: "127.0.0.1",
  cookieName: "lemonldap",
  securedCookie: 1,
  cfgAuthor: "tests",
  cfgDate: 1,
  cfgVersion: "2.16.1",
  // The module of the default needs a library of pictures.
  captcha: "::Captcha::Absent",
  demoExportedVars: { cn: "cn", mail: "mail", uid: "uid" },
  exportedVars: {},
  globalStorage: "Apache::Session::File",
  globalStorageOptions: storeOf(folder, "sessions"),
  persistentStorage: "Apache::Session::File",
  persistentStorageOptions: storeOf(folder, "psessions"),
  localSessionStorage: "",
  locationRules: { "127.0.0.1": { default: "accept" } },
  macros: {},
  groups: {},
  loginHistoryEnabled: 0,
  notification: 0,
  applicationList: {},
  handlerInternalCache: 0,
  portalSkin: "bootstrap",
  whatToTrace: "uid",
  // The portal has https and the service of this test http: the policy of the product permits frames of https only.
  cspDefault: "'self';frame-src 'self' http://localhost:*",
});

const iniOf = (folder: string) => `[all]
logLevel = warn
checkTime = 1
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'config', 'default_expires_in' => 1, 'cache_root' => '${folder}/cache' }
[portal]
staticPrefix = /static
templateDir = ${UNPACKED}/root/usr/share/lemonldap-ng/portal/templates
languages = en
`;

/**
 * The portal behind a reverse proxy that ends TLS. As with the web server of the package, no request for a file reaches
 * the portal: at any other address the portal forgets the request of a service.
 */
const PROGRAM = `use Plack::Builder;
use Plack::App::File;
use Lemonldap::NG::Portal::Main;
my $portal = Lemonldap::NG::Portal::Main->run({});
builder {
  mount "/favicon.ico" => sub { [404, [], []] };
  mount "/javascript" => Plack::App::File->new(root => $ENV{LLNG_JAVASCRIPT})->to_app;
  mount "/static" => Plack::App::File->new(root => $ENV{LLNG_STATIC})->to_app;
  mount "/" => sub {
    my $env = shift;
    $env->{HTTPS} = "on";
    $env->{"psgi.url_scheme"} = "https";
    $env->{SERVER_PORT} = (split /:/, $env->{HTTP_HOST} // "")[1] // 443;
    return $portal->($env);
  };
};
`;
