import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { DIRECTORY_GUIDES, type DirectoryGuideAction } from "./guides.ts";

/** The instructions of every product, folded. */
export function GuideFolds() {
  const { t } = useView();
  return (
    <>
      {DIRECTORY_GUIDES.map(({ name, actions }) => (
        <details key={name} class="fold">
          <summary>
            <span class="fold-title">{name}</span>
          </summary>
          <div>
            <ol class="guide">
              {actions.map((action) => (
                <li key={sentenceOf(t, action)}>{sentenceOf(t, action)}</li>
              ))}
            </ol>
          </div>
        </details>
      ))}
    </>
  );
}

function sentenceOf({ provisioning, ssoConnections: { guide } }: Texts, action: DirectoryGuideAction): string {
  switch (action.kind) {
    case "open":
      return guide.open(action.path.join(" › "));
    case "select":
      return guide.select(action.field, action.value);
    case "choose":
      return guide.choose(action.value);
    case "url":
      return provisioning.enterUrl(action.field);
    case "key":
      return provisioning.enterKey(action.field);
  }
}
