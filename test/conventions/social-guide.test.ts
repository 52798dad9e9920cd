import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { SOCIAL_GUIDE_FILE, socialGuide } from "../../tools/social-guide.ts";

test("docs/guides/social-providers.md has the presets that `npm run docs:social` generates", () => {
  expect(readFileSync(SOCIAL_GUIDE_FILE, "utf8")).toBe(socialGuide());
});
