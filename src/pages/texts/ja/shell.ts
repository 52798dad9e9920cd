/** Japanese: navigation, account menu, titles of documents. */
import type { ShellTexts } from "../en/shell.ts";

export const shellTexts: ShellTexts = {
  shell: {
    menuOf: (name) => `メニュー、${name} としてログイン中`,
    accountMenu: "アカウントメニュー：",
    yourAccount: "自分のアカウント",
    profile: "プロフィール",
    switchOrganization: "組織を切り替え",
    allOrganizations: "すべての組織",
    directory: "ディレクトリ",
    access: "アクセス",
    operations: "運用",
    palette: "ページを開く、または検索",
    searchIn: (place, text) => `${place}：「${text}」`,
    titleInConsole: (title) => `${title} · コンソール`,
    titleOfSearch: (title, q) => `「${q}」 · ${title}`,
    titleOfPage: (title, page) => `${title}、${page} ページ`,
  },
};
