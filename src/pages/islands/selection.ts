/** "Select all" in the bar of a selection: selects each row of the displayed page, or clears a complete selection. */
for (const button of document.querySelectorAll<HTMLElement>("[data-select-all]")) {
  const boxes = document.querySelectorAll<HTMLInputElement>(`[data-select][form="${button.dataset.selectAll}"]`);
  button.addEventListener("click", () => {
    const isComplete = [...boxes].every((box) => box.checked);
    for (const box of boxes) box.checked = !isComplete;
    // The bar, with the pressed button, is not displayed without a selected row.
    if (isComplete) boxes[0]?.focus();
  });
}

export {};
