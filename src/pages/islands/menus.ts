/** An open menu (`<details class="menu">`) closes by Escape and by a click outside. */
const summaryOf = (menu: Element) => menu.querySelector("summary");

function close(menu: HTMLDetailsElement): void {
  const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
  menu.open = false;
  // The focus would otherwise be on a hidden item, or at the start of the document.
  if (hadFocus) summaryOf(menu)?.focus();
}

function closeMenus(isClosed: (menu: HTMLDetailsElement) => boolean): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
    if (isClosed(menu)) close(menu);
  }
}

document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") closeMenus(() => true);
});
document.addEventListener("click", ({ target }) => closeMenus((menu) => !menu.contains(target as Node)));

export {};
