/** Headers against frames and injected content have a single source, whose types admit no text of other parties. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dir, "../..");
const sources = ["src", "workers", "clients/js/src"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));

const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("Only the module of policies writes Content-Security-Policy and X-Frame-Options.", () => {
  expect(filesWith(/["'`](?:content-security-policy|x-frame-options)["'`]/i)).toEqual(["src/http/content-policy.ts"]);
});

test("Only the reader of stored URLs makes values of their types, so a policy contains no other text.", () => {
  expect(filesWith(/\bas (?:StoredUrl|Origin)\b/)).toEqual(["src/base/stored-url.ts"]);
  expect(filesWith(/\bas SourceHash\b/)).toEqual(["src/http/content-policy.ts"]);
});

// `$'` and `$&` of a variable would be read as patterns.
test("The replacement of a text is a constant or a function.", () => {
  const offenders = sources.filter(({ text }) => /\.replace(?:All)?\(/.test(text)).flatMap(variableReplacements);
  expect(offenders).toEqual([]);
});

/** Calls of `replace` and `replaceAll` whose second argument is neither a literal nor a function. */
function variableReplacements({ file, text }: { readonly file: string; readonly text: string }): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isVariableReplacement(node)) {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isVariableReplacement({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || !/^replace(?:All)?$/.test(expression.name.text)) return false;
  const [, replacement] = given;
  if (given.length !== 2 || !replacement) return false;
  return !ts.isStringLiteralLike(replacement) && !ts.isArrowFunction(replacement);
}
