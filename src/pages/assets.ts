/**
 * The files that pages load: the style sheet, the islands, and the operator's style and logo. Each file name contains a
 * hash of the content, so browsers cache the files permanently.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { lazily } from "../base/lazily.ts";
import { bundleForBrowsers } from "../base/runtime.ts";
import { brandPaletteOf } from "../config/brand-palettes.ts";
import type { Config } from "../config/config.ts";
import { EMAIL_LOGO_DARK_PATH, EMAIL_LOGO_PATH, readEmailLogo } from "../config/email-logo.ts";
import { acceptsGzip } from "../http/accept.ts";
import { policyHeaders } from "../http/content-policy.ts";
import { bytesReply, type Reply } from "../http/reply.ts";
import { brandIcon } from "./brand-icon.ts";
import { readBrandStyle, readStyleSheet } from "./style-sheet.ts";

const ISLANDS = [
  "code",
  "confirm",
  "continue-form",
  "copy",
  "form-post",
  "live",
  "local-times",
  "page",
  "palette",
  "passkey-add",
  "passkey-sign-in",
  "passkey-signals",
  "passkey-step-up",
  "password",
  "password-strength",
  "picture",
  "recovery-codes",
  "selection",
  "time-zone",
  "upload",
] as const;
export type Island = (typeof ISLANDS)[number];

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

export interface Assets {
  readonly style: string;
  readonly brandStyle: string | undefined;
  readonly logo: string | undefined;
  /** The logo in the dark theme, where the file differs. */
  readonly logoDark: string | undefined;
  /** The address of the icon in the colour of the deployment. */
  readonly tintedIcon: string;
  /** The icons that browsers and phones request without a link: the logo, else a default. */
  readonly favicon: Asset;
  readonly touchIcon: Asset;
  readonly island: (name: Island) => string;
  find(file: string): Asset | undefined;
  /** The logo for emails at a path; undefined for any other path, and without a logo. */
  readonly emailLogo: (path: string) => Promise<Buffer | undefined>;
}

const HERE = import.meta.dirname;
const LOGO_TYPES: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
};

/**
 * Bundles the islands and reads the remaining files in about 50 ms. Throws an error with the file name for an
 * unreadable file.
 */
export async function buildAssets({ brand }: Pick<Config, "brand">): Promise<Assets> {
  const [scripts, favicon, touchIcon, style, brandStyle, logo, logoDark] = await Promise.all([
    bundleIslands(),
    fileAsset("favicon.ico", "image/x-icon", join(HERE, "icons/favicon.ico")),
    fileAsset("touch-icon.png", "image/png", join(HERE, "icons/touch-icon.png")),
    readStyleSheet().then((css) => styleAsset("style.css", css)),
    readBrandStyle(brand).then((css) => (css === undefined ? undefined : styleAsset("brand.css", css))),
    logoAsset("logo", brand.logo),
    logoAsset("logo-dark", brand.logoDark),
  ]);
  const { islands, shared } = scripts;
  const all = [...islands.values(), ...shared, style, brandStyle, logo, logoDark].filter((each) => each !== undefined);
  const byFile = new Map(all.map((asset) => [asset.path.slice("/assets/".length), asset]));
  return {
    style: style.path,
    brandStyle: brandStyle ? brandStyle.path : undefined,
    logo: logo?.path,
    logoDark: logo && logoDark?.path,
    tintedIcon: brandIcon(brandPaletteOf(brand).light.fill),
    favicon: logo || favicon,
    // Phones display no SVG as an icon.
    touchIcon: logo && logo.type !== LOGO_TYPES[".svg"] ? logo : touchIcon,
    island: (name) => islands.get(name)?.path ?? "",
    find: (file) => byFile.get(file),
    emailLogo: emailLogos(brand),
  };
}

function emailLogos({ logo, logoDark }: Config["brand"]): Assets["emailLogo"] {
  const at = (file: string | undefined) => lazily(async () => file && (await readEmailLogo(file)).png);
  const [light, dark] = [at(logo), at(logo && logoDark)];
  return async (path) => {
    const png = path === EMAIL_LOGO_PATH ? await light() : path === EMAIL_LOGO_DARK_PATH ? await dark() : undefined;
    return png || undefined;
  };
}

async function logoAsset(name: string, file: string | undefined): Promise<Asset | undefined> {
  if (file === undefined) return undefined;
  const type = LOGO_TYPES[extname(file).toLowerCase()];
  if (!type) throw new Error(`${file} is no SVG, PNG, WebP or JPEG: SERVICE_BRAND_LOGO, SERVICE_BRAND_LOGO_DARK`);
  return await fileAsset(`${name}${extname(file)}`, type, file);
}

const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** `shared`: modules that islands import, under known names; the names contain a hash already. */
async function bundleIslands(): Promise<{ islands: Map<Island, Asset>; shared: Asset[] }> {
  const scripts = await bundleForBrowsers(ISLANDS.map((name) => join(HERE, "islands", `${name}.ts`)));
  const entries = scripts.filter(({ isEntryPoint }) => isEntryPoint);
  return {
    islands: new Map(
      entries.map(({ file, bytes }) => [basename(file, ".js") as Island, hashedAsset(file, SCRIPT_TYPE, bytes)]),
    ),
    shared: scripts
      .filter(({ isEntryPoint }) => !isEntryPoint)
      .map(({ file, bytes }) => assetOf(file, SCRIPT_TYPE, bytes)),
  };
}

function styleAsset(name: string, css: string): Asset {
  return hashedAsset(name, "text/css; charset=utf-8", Buffer.from(css));
}

/** A file is compressed once, at start: the highest level takes about a millisecond for each file. */
const LEVEL = 9;

async function fileAsset(name: string, type: string, file: string): Promise<Asset> {
  return hashedAsset(name, type, await readFile(file));
}

function hashedAsset(name: string, type: string, bytes: Buffer): Asset {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return assetOf(
    name.replace(/\.\w+$/, (extension) => `-${hash}${extension}`),
    type,
    bytes,
  );
}

function assetOf(file: string, type: string, bytes: Buffer): Asset {
  return { path: `/assets/${file}`, type, bytes, gzipped: gzipSync(bytes, { level: LEVEL }) };
}

/** Mailboxes keep the address, so a new logo replaces the picture there too. */
export function emailLogoReply(logo: Buffer): Reply {
  const headers = {
    "cache-control": "public, max-age=86400",
    ...ASSET_POLICY,
    "cross-origin-resource-policy": "cross-origin",
  };
  return bytesReply(200, "image/png", logo, { headers });
}

/** An SVG that is opened directly must not run scripts of this origin. */
const ASSET_POLICY = policyHeaders({ "default-src": ["'none'"], "style-src": ["'unsafe-inline'"], sandbox: [] });

/** A name with a hash never changes its content. */
const FOREVER = "public, max-age=31536000, immutable";

export function assetReply(asset: Asset, request: Request, caching = FOREVER): Reply {
  const gzip = acceptsGzip(request);
  const headers = {
    "cache-control": caching,
    vary: "accept-encoding",
    ...ASSET_POLICY,
    ...(gzip ? { "content-encoding": "gzip" } : {}),
  };
  return bytesReply(200, asset.type, gzip ? asset.gzipped : asset.bytes, { headers });
}
