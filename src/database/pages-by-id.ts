import { NIL_UUID } from "../base/random.ts";

/**
 * The pages of a list in ascending order of its UUIDs, without empty pages. `read`: the first `size` items after an id.
 * A page is read after the use of the page before.
 */
export async function* pagesById<Item>(
  size: number,
  read: (after: string) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): AsyncGenerator<readonly Item[]> {
  let after = NIL_UUID;
  for (;;) {
    const page = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < size) return;
    after = idOf(last);
  }
}
