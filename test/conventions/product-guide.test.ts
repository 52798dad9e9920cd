import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { PRODUCT_GUIDE_FILE, productGuide } from "../../tools/product-guide.ts";

test("docs/guides/connect-a-product.md is what `npm run docs:products` generates", () => {
  expect(readFileSync(PRODUCT_GUIDE_FILE, "utf8")).toBe(productGuide());
});
