/** Finds `await` outside of functions, by the syntax tree. */
import ts from "typescript";

/** Returns the 1-indexed lines of `await`, `for await` and `await using` at the top level of a module. */
export function topLevelAwaits(file: string, source: string): number[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (isAwait(node)) lines.push(tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lines;
}

function isAwait(node: ts.Node): boolean {
  if (ts.isForOfStatement(node)) return node.awaitModifier !== undefined;
  if (ts.isVariableDeclarationList(node)) return (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing;
  return ts.isAwaitExpression(node);
}
