/** Sends the form of a page that only redirects. Without scripts the user presses the button. */
document.querySelector<HTMLFormElement>("form[data-submit]")?.submit();

export {};
