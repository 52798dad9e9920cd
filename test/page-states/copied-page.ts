/**
 * A page of the browser that displays copies of other pages. The rules of axe are loaded and compiled once: loading for
 * each page takes longer than the checks.
 */
import { Reader } from "../support/pages.ts";

/**
 * The document as text, with values and open dialogs as attributes. Scripts are left out: a copied page does not act.
 */
const SNAPSHOT = `(() => {
  for (const field of document.querySelectorAll("input, option")) {
    if (field.matches("input")) field.setAttribute("value", field.type === "password" ? "" : field.value);
    field.toggleAttribute(field.matches("option") ? "selected" : "checked", field.selected ?? field.checked);
  }
  for (const area of document.querySelectorAll("textarea")) area.textContent = area.value;
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.toggleAttribute("data-above", dialog.matches(":modal"));
  }
  const copy = document.documentElement.cloneNode(true);
  for (const script of copy.querySelectorAll("script")) script.remove();
  return copy.outerHTML;
})()`;

/** Displays a copied document, and waits for its style sheets. */
const DISPLAY = `async (text) => {
  const copy = document.adoptNode(new DOMParser().parseFromString(text, "text/html").documentElement);
  const sheets = [...copy.querySelectorAll("link[rel=stylesheet]")];
  const loaded = sheets.map((sheet) => new Promise((resolve, reject) => {
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", reject);
  }));
  document.documentElement.replaceWith(copy);
  await Promise.all(loaded);
  for (const dialog of document.querySelectorAll("dialog[data-above]")) {
    dialog.close();
    dialog.showModal();
  }
}`;

export class CopiedPage {
  readonly reader: Reader;

  private constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The content security policy was in force on the original page (`offences` of the reader). */
  static async at(origin: string): Promise<CopiedPage> {
    const reader = await Reader.at(origin, { bypassCSP: true });
    await reader.open("/error");
    return new CopiedPage(reader);
  }

  /** Displays the page of another reader. */
  async display({ page }: Reader): Promise<Reader> {
    const text = await page.evaluate<string>(SNAPSHOT);
    await this.reader.page.evaluate(`(${DISPLAY})(${JSON.stringify(text)})`);
    return this.reader;
  }
}
