/**
 * The programs that a test file starts, by the declarations that the file uses: a file that imports a module for one
 * function does not need the programs of the remaining functions. Dynamic imports serve optional settings of a run
 * (TEST_DATABASE_POOLER) and are not followed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { guideNames, guideScripts } from "../../clients/demo/guide-code.ts";
import { DENO } from "./deno.ts";
import { DEBIAN_PACKAGES } from "./packages.ts";
import { programsIn, programsOfScript } from "./started-programs.ts";

const ROOT = join(import.meta.dir, "../..");
/** Modules whose programs count; the service itself starts no program of the lists. */
const FOLLOWED = /^(?:test|bench|clients\/demo)\/(?!support\/packages)/;
const INSTALLERS = /^(?:installDebianPackages|unpackDebianPackages|unpackWithDependencies)$/;

/** A declaration of a module, by name; the empty name is the code that runs at the import. */
interface Declaration {
  readonly programs: ReadonlySet<string>;
  /** Used declarations, as `<file>#<name>`. */
  readonly uses: ReadonlySet<string>;
}

interface Imported {
  readonly file: string;
  /** The name in the module; `*` for all names. */
  readonly name: string;
}

type Module = ReadonlyMap<string, Declaration>;

/** The entry of a module for the scripts of guides. */
const GUIDES = "scripts of guides";

const modules = new Map<string, Module>();
const tests = new Map<string, ReadonlySet<string>>();

/** Returns the programs that a test file starts, itself or by the used declarations of the imported modules. */
export function programsOfTest(file: string): ReadonlySet<string> {
  const known = tests.get(file);
  if (known) return known;
  const programs = new Set<string>();
  const visited = new Set<string>();
  const open = [...moduleOf(file).keys()].map((name) => `${file}#${name}`);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const [path = "", name = ""] = next.split("#");
    const module = moduleOf(path);
    const names = name === "*" ? [...module.keys()] : [name, ""];
    for (const declaration of names.flatMap((each) => module.get(each) ?? [])) {
      for (const program of declaration.programs) programs.add(program);
      open.push(...declaration.uses);
    }
  }
  tests.set(file, programs);
  return programs;
}

function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const imports = importsOf(file, source);
  const parts = Map.groupBy(source.statements.flatMap(namedParts), ({ name }) => name);
  const keyOf = (name: string): string[] => {
    const imported = imports.get(name);
    if (imported) return [`${imported.file}#${imported.name}`];
    return parts.has(name) ? [`${file}#${name}`] : [];
  };
  const module = new Map<string, Declaration>();
  for (const [name, nodes] of parts) {
    const programs = new Set(nodes.flatMap(({ node }) => [...programsIn(source, node), ...requested(node)]));
    const started = nodes.flatMap(({ node }) => startedFiles(node)).map((path) => `${path}#*`);
    const uses = new Set([...nodes.flatMap(({ node }) => identifiersIn(node)).flatMap(keyOf), ...started]);
    module.set(name, { programs, uses });
  }
  if (source.text.includes("guide-code.ts"))
    module.set(GUIDES, { programs: programsOfGuides(source), uses: new Set() });
  for (const [name, { file: from, name: original }] of reExportsOf(file, source))
    module.set(name, { programs: new Set(), uses: new Set([`${from}#${original}`]) });
  modules.set(file, module);
  return module;
}

/** The programs of the shell scripts of the guides that a file names. */
function programsOfGuides(source: ts.SourceFile): ReadonlySet<string> {
  const named = guideNames().filter((guide) => source.text.includes(`"${guide}"`));
  return new Set(named.flatMap(guideScripts).flatMap(programsOfScript));
}

/** Splits a statement into the declared names with their nodes; a statement without a name runs at the import. */
function namedParts(statement: ts.Statement): { readonly name: string; readonly node: ts.Node }[] {
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((node) =>
      boundNames(node.name).map((name) => ({ name, node })),
    );
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return [{ name: isNamed ? (statement.name?.text ?? "default") : "", node: statement }];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function importsOf(file: string, source: ts.SourceFile): ReadonlyMap<string, Imported> {
  const found = new Map<string, Imported>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) continue;
    const from = followed(file, statement.moduleSpecifier);
    if (from === undefined) continue;
    const { name, namedBindings } = statement.importClause ?? {};
    if (name) found.set(name.text, { file: from, name: "default" });
    if (namedBindings && ts.isNamespaceImport(namedBindings))
      found.set(namedBindings.name.text, { file: from, name: "*" });
    if (namedBindings && ts.isNamedImports(namedBindings))
      for (const { propertyName, name: local } of namedBindings.elements)
        found.set(local.text, { file: from, name: (propertyName ?? local).text });
  }
  return found;
}

function reExportsOf(file: string, source: ts.SourceFile): ReadonlyMap<string, Imported> {
  const found = new Map<string, Imported>();
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !statement.exportClause) continue;
    const from = followed(file, statement.moduleSpecifier);
    if (from === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    for (const { propertyName, name } of statement.exportClause.elements)
      found.set(name.text, { file: from, name: (propertyName ?? name).text });
  }
  return found;
}

/** Returns the path of an imported module of this repository whose programs count. */
function followed(file: string, specifier: ts.Expression): string | undefined {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  const path = join(dirname(file), specifier.text);
  return /\.tsx?$/.test(path) && FOLLOWED.test(relative(ROOT, path)) && existsSync(path) ? path : undefined;
}

/** The programs of `findProgram`, the mark of packages that a test installs, and Deno of a replica on Deno. */
function requested(part: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [first] = node.arguments;
      if (node.expression.text === "findProgram" && first && ts.isStringLiteral(first)) found.push(first.text);
      if (INSTALLERS.test(node.expression.text)) found.push(DEBIAN_PACKAGES);
    }
    if (isDenoRuntime(node)) found.push(DENO);
    ts.forEachChild(node, visit);
  };
  visit(part);
  return found;
}

/** Returns true for the option `runtime: "deno"` of `startReplica`, whose other callers need no Deno. */
function isDenoRuntime(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) || node.name.getText() !== "runtime") return false;
  return ts.isStringLiteral(node.initializer) && node.initializer.text === DENO;
}

/** Returns the files of tests that a nested run of `npm test` starts, by their paths in texts. */
function startedFiles(part: ts.Node): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^\.\/test\/\S+\.ts$/.test(node.text)) found.push(join(ROOT, node.text));
    ts.forEachChild(node, visit);
  };
  visit(part);
  return found.filter((path) => existsSync(path));
}

/** Returns the identifiers of a node that may name a declaration; names of members do not. */
function identifiersIn(part: ts.Node): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    else if (ts.isPropertyAccessExpression(node)) visit(node.expression);
    else if (ts.isPropertyAssignment(node)) visit(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(part);
  return [...found];
}
