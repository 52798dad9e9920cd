/** Copies and downloads the recovery codes, which are shown once. */
const list = document.querySelector("[data-codes]");
const codes = [...(list?.querySelectorAll("li") ?? [])].map((item) => item.textContent ?? "").join("\n");
const copy = document.querySelector<HTMLButtonElement>("[data-copy]");
const download = document.querySelector<HTMLButtonElement>("[data-download]");

copy?.addEventListener("click", async () => {
  await navigator.clipboard.writeText(codes);
  copy.textContent = copy.dataset.copy ?? "";
});

download?.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${codes}\n`], { type: "text/plain" }));
  link.download = download.dataset.download ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
});

export {};
