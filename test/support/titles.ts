/** Reads the titles of tests and of their groups for the style test. */
import ts from "typescript";

const CALLS = /^(?:test|describe|testWhileShared)\b/;

/** Returns the titles in order; an expression in a template counts as a number. */
export function titlesOf(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && CALLS.test(node.expression.getText(tree))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push(
          title
            .getText(tree)
            .slice(1, -1)
            .replaceAll(/\$\{[^}]*\}/g, "0"),
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}
