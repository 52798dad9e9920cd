import { LANGUAGES, languageName, tagOf } from "../../vocabulary/languages.ts";
import { useView } from "../view.tsx";
import { Button, Form } from "./form.tsx";
import { Icon } from "./icon.tsx";

/** The languages at the foot of every page. The form returns to the page (src/pages/language.ts). */
export function LanguageMenu() {
  const { t, language } = useView();
  return (
    <footer class="foot">
      <details class="languages">
        <summary>
          <Icon name="globe" small />
          <span class="sr">{t.common.language}: </span>
          {languageName(language)}
          <Icon name="updown" small />
        </summary>
        <div>
          <LanguageForm />
        </div>
      </details>
    </footer>
  );
}

/** The languages as a field with a button, for the account. */
export function LanguageField() {
  const { t, language } = useView();
  return (
    <Form action="/language" class="inline">
      <select name="language" aria-label={t.common.language}>
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={tagOf(each)} selected={each === language}>
            {languageName(each)}
          </option>
        ))}
      </select>
      <Button label={t.account.saveLanguage}>{t.common.save}</Button>
    </Form>
  );
}

/** Each language by the name in the language itself, so that a reader finds the own language on any page. */
function LanguageForm() {
  const { language, typedAddress } = useView();
  return (
    <Form action="/language" class="places" repeatable>
      {typedAddress && <input type="hidden" name="email" value={typedAddress} />}
      {LANGUAGES.map((each) => (
        <button
          key={each}
          type="submit"
          name="language"
          value={each}
          lang={tagOf(each)}
          aria-current={each === language ? "true" : undefined}
        >
          {languageName(each)}
        </button>
      ))}
    </Form>
  );
}
