/** A LIKE pattern that finds `text` anywhere, letter for letter: `%`, `_` and `\` of the searcher mean themselves. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}
