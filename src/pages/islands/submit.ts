/** Sends the form of a page that only passes something on. Without scripts a button does. */
document.querySelector<HTMLFormElement>("form[data-submit]")?.submit();
