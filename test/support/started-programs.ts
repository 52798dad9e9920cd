/** Reads the programs that a source file starts by name from the syntax tree. */
import { basename } from "node:path";
import ts from "typescript";

/** Functions whose first argument is a program, or an array that begins with a program. */
const STARTERS = /^(?:Bun\.)?(?:spawn|spawnSync|execFile|execFileSync|dieWithParent|launch|requireProgram|startApi)$/;
/** Names of variables, parameters and properties that hold a program or a command. */
const COMMAND_NAMES = /^(?:command|runner|dieWithParent|COMMAND|START|SERVE)$/;
const PROGRAM = /^[\w./-]+$/;
const SHELLS = new Set(["bash", "sh"]);
const SHELL_WORDS = new Set(
  `break case cd continue do done echo elif else esac eval exec exit export false fi for if in kill printf read return
  set shift test then time trap ulimit umask unset until wait while`.split(/\s+/),
);
/** Words after which a shell expects a command. */
const COMMAND_FOLLOWS = new Set(["do", "elif", "else", "exec", "if", "then", "until", "while"]);

export function programsOf(file: string, text: string): string[] {
  return programsIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
}

const constantsByFile = new WeakMap<ts.SourceFile, ReadonlyMap<string, ts.Expression>>();

/** Returns the programs that a file starts, or that a part of the file starts. */
export function programsIn(source: ts.SourceFile, part: ts.Node = source): string[] {
  const constants = constantsByFile.get(source) ?? constantsOf(source);
  constantsByFile.set(source, constants);
  const found = new Set<string>();
  visit(part);
  return [...found];

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && STARTERS.test(node.expression.getText())) addCommand(node.arguments);
    // The first argument is a prefix, for example setpriv with options.
    if (ts.isCallExpression(node) && node.expression.getText() === "runThrough") addProgram(node.arguments[1]);
    if (ts.isArrayLiteralExpression(node)) addShell(node.elements);
    if ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && COMMAND_NAMES.test(node.name.getText()))
      addProgram(node.initializer);
    ts.forEachChild(node, visit);
  }

  /** Adds a program with arguments, from a call or an array. */
  function addCommand(words: readonly ts.Expression[]): void {
    addProgram(words[0]);
    const args = words[1] && ts.isArrayLiteralExpression(words[1]) ? words[1].elements : words.slice(1);
    addShell([...words.slice(0, 1), ...args]);
  }

  /** Adds the programs of a shell script; the shell may stand at any position of the command. */
  function addShell(words: readonly ts.Expression[]): void {
    const option = words.findIndex((word) => textOf(word) === "-c");
    if (option < 1 || !SHELLS.has(textOf(words[option - 1]) ?? "")) return;
    add(textOf(words[option - 1]) ?? "");
    for (const name of programsOfScript(textOf(words[option + 1]))) add(name);
  }

  function addProgram(word: ts.Expression | undefined): void {
    if (word && ts.isConditionalExpression(word))
      for (const branch of [word.whenTrue, word.whenFalse]) addProgram(branch);
    else if (word && ts.isArrayLiteralExpression(word)) addProgram(word.elements[0]);
    else add(textOf(word) ?? "");
  }

  function add(name: string): void {
    if (PROGRAM.test(name)) found.add(basename(name));
  }

  /** Returns the text of a literal, or of a constant of the file. Values within a template are unknown. */
  function textOf(word: ts.Node | undefined): string | undefined {
    if (!word) return undefined;
    if (ts.isStringLiteralLike(word)) return word.text;
    if (ts.isTemplateExpression(word))
      return word.head.text + word.templateSpans.map(({ literal }) => `$value${literal.text}`).join("");
    return ts.isIdentifier(word) ? textOf(constants.get(word.text)) : undefined;
  }
}

function constantsOf(source: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return constants;
}

/** Returns the first word of each simple command, without variables, assignments, redirections and shell keywords. */
export function programsOfScript(script = ""): string[] {
  const commands = script.replaceAll(/\\\n|\d?[<>]+ ?[\w./&]+/g, " ").split(/\n|;|\|\|?|&&|&|\$\(|\(|\)/);
  return commands.flatMap((command) => {
    const words = command.trim().split(/\s+/);
    const at = words.findIndex((word) => !COMMAND_FOLLOWS.has(word) && !/^\w+=|^[<>]/.test(word));
    const word = words[at] ?? "";
    return /^[a-z][\w.-]*$/.test(word) && !SHELL_WORDS.has(word) ? [word] : [];
  });
}
