/** The choice of a file sends the form. Without scripts, the button of the form does. */
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-upload]")) {
  form.querySelector("[type=file]")?.addEventListener("change", () => form.requestSubmit());
}

export {};
