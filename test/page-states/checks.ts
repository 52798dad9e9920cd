/** Checks of a page in a state: WCAG rules in both themes, and the width of the content. */
import type { Reader } from "../support/pages.ts";

/** Widths of phones, tablets and windows (px); the layouts change between them. */
export const WIDTHS = [320, 390, 600, 769, 800, 834, 900, 1024, 1280, 1600];
const HEIGHT = 800;
/** Elements that end beyond the window. A line for screen readers has the width of a pixel. */
const OVERFLOWING = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > innerWidth) return ["scrolls to " + scrollWidth];
  return [...document.querySelectorAll("main *, nav a, footer *")]
    .filter((element) => !element.closest(".sr, svg, pre, .tabs, details:not([open]) > :not(summary)"))
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    })
    .map((element) => element.outerHTML.slice(0, 80));
})()`;

const UNFOLD = "document.querySelectorAll('.fold, .table details').forEach((details) => { details.open = true; })";

/** Fields with the name of a hidden field of their form: the service would read the hidden value. */
const HIDDEN_NAMES = `[...document.forms].flatMap((form) =>
  [...form.querySelectorAll("input[type=hidden]")]
    .filter(({ name }) => [...form.elements].some((field) => field.name === name && field.type !== "hidden"))
    .map(({ name }) => "a field has the name of the hidden field " + name))`;

/** Returns the fields whose values the service would never read. */
export async function shadowedFields({ page }: Reader): Promise<string[]> {
  return await page.evaluate<string[]>(HIDDEN_NAMES);
}

const TOUCHING = `[...document.querySelectorAll("main .button + .button")]
  .filter((button) => button.checkVisibility() && button.previousElementSibling.checkVisibility())
  .filter((button) => {
    const [one, other] = [button.previousElementSibling, button].map((each) => each.getBoundingClientRect());
    const gapX = Math.max(one.left, other.left) - Math.min(one.right, other.right);
    const gapY = Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom);
    return Math.max(gapX, gapY) < 4;
  })
  .map((button) => "no gap before the button " + button.textContent)`;

/** Returns the buttons that touch the button before. */
export async function touchingButtons({ page }: Reader): Promise<string[]> {
  return await page.evaluate<string[]>(TOUCHING);
}

/** Tag, classes, role and type of each element: the parts that decide the rules of axe, beside texts and names. */
const KINDS = `[...new Set([...document.querySelectorAll("body *")].map((element) =>
  [element.localName, ...["class", "role", "type"].map((name) => element.getAttribute(name))].join(" ")))]`;

/** Returns the kinds of elements on a page. */
export async function elementKinds({ page }: Reader): Promise<string[]> {
  return await page.evaluate<string[]>(KINDS);
}

/** Opens each fold of a page and each row with details. */
export async function unfold({ page }: Reader): Promise<void> {
  await page.evaluate(UNFOLD);
}

/** Returns the elements beyond the window at the given widths. */
export async function overflowOf(reader: Reader, widths: readonly number[]): Promise<string[]> {
  const { page, path } = reader;
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    found.push(...(await beyondWindow(reader)).map((each) => `${path} at ${width} px: ${each}`));
  }
  return found;
}

/** Returns the elements beyond the window at its present width. */
export async function beyondWindow({ page }: Reader): Promise<string[]> {
  return await page.evaluate<string[]>(OVERFLOWING);
}

/** Returns the violations of the displayed page, at the widths of a phone and of a window. */
export async function violationsOf(reader: Reader): Promise<string[]> {
  await reader.page.setViewportSize({ width: 320, height: HEIGHT });
  const narrow = await reader.violations();
  await reader.page.setViewportSize({ width: 1280, height: HEIGHT });
  return [...narrow, ...(await reader.violations())];
}
