/** Reads the comments of TypeScript files and counts words for the style test. */
import ts from "typescript";

/** Pronouns that a comment replaces by the noun. */
const PRONOUNS = new Set(
  [
    "one ones that those it its what whatever which whose whom",
    "none nothing such same other others another each both they them",
  ].flatMap((line) => line.split(" ")),
);

export interface Comment {
  /** 1-indexed line of the first character. */
  readonly line: number;
  /** The text without comment marks; wrapped lines are joined. Consecutive `//` lines form a single comment. */
  readonly text: string;
}

export interface WordCount {
  readonly words: number;
  readonly pronouns: number;
}

/** Returns the comments of a source file in order. Directives of tools are included. */
export function commentsOf(file: string, source: string): Comment[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source, node.end) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  const blocks: { pos: number; end: number; isLine: boolean }[] = [];
  for (const { pos, end, kind: syntax } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const isLine = syntax === ts.SyntaxKind.SingleLineCommentTrivia;
    const last = blocks.at(-1);
    if (last?.isLine && isLine && /^[ \t]*\n[ \t]*$/.test(source.slice(last.end, pos))) last.end = end;
    else blocks.push({ pos, end, isLine });
  }
  return blocks.map(({ pos, end }) => ({
    line: tree.getLineAndCharacterOfPosition(pos).line + 1,
    text: textOf(source.slice(pos, end)),
  }));
}

function textOf(comment: string): string {
  return comment
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.trim().replace(/^(?:\/\/+|\/\*\*?|\*)[ \t]*/, ""))
    .join(" ")
    .trim();
}

export function countWords(text: string): WordCount {
  const words = [...text.toLowerCase().matchAll(/[a-z][a-z'-]*/g)].map(([word]) => word);
  return { words: words.length, pronouns: words.filter((word) => PRONOUNS.has(word)).length };
}
