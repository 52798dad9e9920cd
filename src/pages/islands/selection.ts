/**
 * The bar of a selection: the number of selected rows, and "Select all", which selects each row of the displayed page
 * or clears a complete selection.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-select-all]")) {
  const boxes = document.querySelectorAll<HTMLInputElement>(`[data-select][form="${button.dataset.selectAll}"]`);
  const number = button.form?.querySelector<HTMLElement>("[data-selected]");
  const count = () => {
    const selected = [...boxes].filter((box) => box.checked).length;
    if (number) number.textContent = `: ${selected.toLocaleString(document.documentElement.lang)}`;
  };
  for (const box of boxes) box.addEventListener("change", count);
  count();
  button.addEventListener("click", () => {
    const isComplete = [...boxes].every((box) => box.checked);
    for (const box of boxes) box.checked = !isComplete;
    count();
    // The bar, with the pressed button, is not displayed without a selected row.
    if (isComplete) boxes[0]?.focus();
  });
}

export {};
