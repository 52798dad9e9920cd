import { consoleSentence } from "../components/console-guide.ts";
import type { Texts } from "../texts/catalogue.ts";
import { useView } from "../view.tsx";
import { DIRECTORY_GUIDES, type DirectoryGuideAction } from "./guides.ts";

/** The instructions of every product, folded. */
export function GuideFolds() {
  const { t } = useView();
  return (
    <div class="folds">
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
    </div>
  );
}

function sentenceOf(texts: Texts, action: DirectoryGuideAction): string {
  const { provisioning } = texts;
  switch (action.kind) {
    case "url":
      return provisioning.enterUrl({ field: action.field });
    case "key":
      return provisioning.enterKey({ field: action.field });
    default:
      return consoleSentence(texts, action);
  }
}
