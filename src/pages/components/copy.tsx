import { useView } from "../view.tsx";

/** A button that copies the text of the element with the id `from` (islands/copy.ts). `label`: the name of the text. */
export function CopyText({ from, label }: { readonly from: string; readonly label: string }) {
  const { t } = useView();
  const { copy, copied } = t.serviceAccounts;
  return (
    <button
      class="button small scripted"
      type="button"
      data-copies={from}
      data-copied={copied}
      data-failed={t.common.copyFailed}
    >
      {copy}
      <span class="sr"> {label}</span>
    </button>
  );
}

/** Announces the result of every copy button of the page. */
export function CopyResults() {
  return <p class="sr" role="status" data-copy-results="" />;
}

/** A labelled text of one line with a copy button, as an item of `Rows`. */
export function CopyRow({ id, label, text }: { readonly id: string; readonly label: string; readonly text: string }) {
  return (
    <li>
      <div class="what">
        <small>{label}</small>
        <code id={id}>{text}</code>
      </div>
      <CopyText from={id} label={label} />
    </li>
  );
}

/** A text of several lines with a copy button. */
export function CopyBlock({ id, label, text }: { readonly id: string; readonly label: string; readonly text: string }) {
  return (
    <div class="code-block">
      <div class="toolbar">
        <span class="soft">{label}</span>
        <CopyText from={id} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus of the keyboard. */}
      <pre tabIndex={0}>
        <code id={id}>{text}</code>
      </pre>
    </div>
  );
}
