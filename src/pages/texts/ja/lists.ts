/** Japanese: search, filters, order and pages of lists. */
import { pluralIn } from "../../../base/plural.ts";
import type { ListTexts } from "../en/lists.ts";

const plural = pluralIn("ja");

export const listTexts: ListTexts = {
  lists: {
    apply: "適用",
    clear: "フィルタをクリア",
    anyStatus: "すべてのステータス",
    anyRole: "すべてのプラットフォームロール",
    anyFactor: "2 段階認証の有無を問わない",
    anyTier: "すべてのプラン",
    role: "プラットフォームロール",
    factor: "2 段階認証",
    factorOn: "設定済み",
    factorOff: "なし",
    createdFrom: "作成日（開始）",
    createdTo: "作成日（終了）",
    first: "最初のページ",
    last: "最後のページ",
    pageSize: "ページあたりの行数",
    csv: "CSV をエクスポート",
    csvHint: (rows) => plural(rows, { other: "一致する行（最大 # 行）" }),
    noMatch: "フィルタに一致するものはありません。フィルタを変更またはクリアしてください。",
    usersDisabled: (count) => plural(count, { other: "無効 # 人" }),
    organizationsSuspended: (count) => plural(count, { other: "停止中 # 件" }),
    anyType: "すべての種類",
    searchApis: "名前または識別子で検索",
    searchFlags: "キーまたは説明で検索",
    nothingFound: (q) => `「${q}」に一致するものはありません。`,
    apiCount: (count) => plural(count, { other: "API # 件" }),
    flagCount: (count) => plural(count, { other: "フラグ # 件" }),
    onlyMembers: (organization) => `${organization} のメンバー`,
    redirectUri: "リダイレクト URI",
    redirectUriLead: "このアドレスをプロバイダに登録してください。",
    send: "リンクを送信",
    verification: "メールアドレスを確認するリンク",
    verificationSent: "アドレスを確認するリンクをユーザーに送信しました。",
    reset: "新しいパスワードを設定するリンク",
    resetSent: "新しいパスワードを設定するリンクをユーザーに送信しました。",
  },
};
