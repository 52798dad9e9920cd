/**
 * `npm run screenshots -- <folder> [--languages=en,de] [--widths=390,820,1280] [--only=<parts of names>]` starts the
 * service with demo data, takes pictures of every page, light and dark, in every language, and joins the pictures of a
 * page to a contact sheet (`sheets/`) for visual inspection.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Language } from "../src/vocabulary/languages.ts";
import { chosenIn } from "./page-states/choice.ts";
import { startDemo } from "./page-states/demo.ts";
import { StateReaders } from "./page-states/readers.ts";
import { STATES } from "./page-states/states.ts";
import type { Reader } from "./support/pages.ts";
import { stopServices } from "./support/services.ts";

const chosen = chosenIn(process.argv.slice(2), { named: STATES, widths: [390, 820, 1280] });
const { languages, named: states, widths, positionals } = chosen;
const [folder = "screenshots"] = positionals;
const THEMES = ["light", "dark"] as const;
const HEIGHT = 800;
const GAP = 16;
/** A longer page is cut on the sheet; its own picture is whole. */
const SHEET_HEIGHT_MAX = 2400;
const SHEET_BACKGROUND = "#8b8f94";

/** Takes a picture for every width and theme; returns the files. */
async function take(reader: Reader, language: Language, name: string): Promise<string[]> {
  const files: string[] = [];
  for (const colorScheme of THEMES) {
    await reader.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of widths) {
      await reader.page.setViewportSize({ width, height: HEIGHT });
      const path = join(folder, `${name}-${language}-${width}-${colorScheme}.png`);
      await reader.page.screenshot({ path, fullPage: true });
      files.push(path);
    }
  }
  return files;
}

/** Joins pictures side by side. */
async function joinToSheet(files: readonly string[], path: string): Promise<void> {
  const pictures = await Promise.all(files.map((file) => cut(file)));
  const height = Math.max(...pictures.map(({ info }) => info.height));
  let left = 0;
  const parts = pictures.map(({ data, info }) => {
    const part = { input: data, left, top: 0 };
    left += info.width + GAP;
    return part;
  });
  const create = { width: left - GAP, height, channels: 3, background: SHEET_BACKGROUND } as const;
  await sharp({ create }).composite(parts).png().toFile(path);
}

async function cut(file: string) {
  const picture = sharp(file);
  const { width, height } = await picture.metadata();
  const area = { left: 0, top: 0, width, height: Math.min(height, SHEET_HEIGHT_MAX) };
  return await picture.extract(area).png().toBuffer({ resolveWithObject: true });
}

mkdirSync(join(folder, "sheets"), { recursive: true });
const demo = await startDemo();
const readers = new StateReaders(demo);
let failures = 0;
for (const language of languages) {
  for (const state of states) {
    try {
      const reader = await readers.open(state, language);
      const files = await take(reader, language, state.name);
      await joinToSheet(files, join(folder, "sheets", `${state.name}-${language}.png`));
    } catch (error) {
      failures += 1;
      console.error(`${state.name} in ${language}: ${error}`);
    }
    await readers.leave(state);
  }
}
await readers.close();
await demo.stop();
await stopServices();
process.exit(failures === 0 ? 0 : 1);
