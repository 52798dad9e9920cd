/** Japanese: previews of e-mails. */
import type { EmailPageTexts } from "../en/emails.ts";

export const emailTexts: EmailPageTexts = {
  emailPreviews: {
    title: "メール",
    lead: "サービスが送信するすべてのメールを、サンプルの値で表示します。",
    findBrand: "ブランドを検索",
    preview: "プレビュー",
    previewOf: (subject) => `プレビュー：${subject}`,
    sample: "サンプルの値",
    language: "言語",
    subject: "件名",
    preheader: "プレビューテキスト",
    html: "HTML",
    text: "プレーンテキスト",
    sendTest: "自分にテストを送信",
    testSent: "メールアドレスにテストを送信しました。",
    notConfirmed: "先にメールアドレスを確認してください。テストは確認済みのアドレスにのみ送信されます。",
  },
};
