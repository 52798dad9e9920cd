/** Copies, downloads and prints the recovery codes, which are displayed once. */
const list = document.querySelector("[data-codes]");
const codes = [...(list?.querySelectorAll("li") ?? [])].map((item) => item.textContent ?? "").join("\n");
const copy = document.querySelector<HTMLButtonElement>("[data-copy]");
const download = document.querySelector<HTMLButtonElement>("[data-download]");
const result = document.querySelector("[data-copy-result]");

/** If the browser does not let a page copy, the codes are selected, so that the user can copy the selection. */
async function copyCodes({ copied = "", failed = "" }: DOMStringMap): Promise<void> {
  try {
    await navigator.clipboard.writeText(codes);
    if (result) result.textContent = copied;
  } catch {
    if (list) getSelection()?.selectAllChildren(list);
    if (result) result.textContent = failed;
  }
}

document.querySelector("[data-print]")?.addEventListener("click", () => print());

copy?.addEventListener("click", () => void copyCodes(copy.dataset));

download?.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${codes}\n`], { type: "text/plain" }));
  link.download = download.dataset.download ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
});

export {};
