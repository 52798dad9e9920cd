import type { LeavingEmailKinds } from "./shape.ts";

/** E-mails about deletions and exports. */
export const leavingEmails: LeavingEmailKinds = {
  account_deletion: {
    subject: "{{brand}} のアカウントの削除",
    preheader:
      "{{#link}}{{valid_for}}以内であれば維持できます。{{/link}}{{^link}}アカウントは閉鎖されました。{{/link}}",
    title: "アカウントが削除されます",
    lead:
      "{{brand}} のアカウントの削除がリクエストされました。アカウントは閉鎖され、すべてのデバイスと" +
      "アプリケーションからログアウトされました。ログインはできません。",
    byAdministrator: "管理者が削除をリクエストしました。",
    pending:
      "{{valid_for}}後にアカウントのすべてのデータが消去されます。それまではアカウントを維持できます。" +
      "リンクは 1 回だけ使用できます。",
    immediate: "アカウントのすべてのデータはすぐに消去されます。削除は取り消せません。",
    button: "アカウントを維持",
    after: "ご自身の操作であれば、何もする必要はありません。",
  },
  organization_deletion: {
    subject: "{{brand}} の組織「{{organization_name}}」の削除",
    preheader: "{{valid_for}}以内であれば、どのオーナーも組織を維持できます。",
    title: "組織が削除されます",
    lead:
      "{{organization_name}} の削除がリクエストされました。組織は停止され、メンバーと API キーはアクセスできません。" +
      "{{valid_for}}後に組織のすべてのデータが消去されます。それまでは、どのオーナーも組織を維持できます。" +
      "リンクは 1 回だけ使用できます。",
    button: "組織を維持",
    after: "このメールはオーナーに送信されています。削除が正しければ、何もする必要はありません。",
  },
  data_export: {
    subject: "{{brand}} のデータをダウンロードできます",
    preheader: "ダウンロードは{{valid_for}}利用できます。",
    title: "データの準備ができました",
    lead:
      "{{brand}} のデータのコピーの準備ができました。{{valid_for}}以内にログインしてダウンロードしてください。" +
      "その後、コピーは削除されます。",
    button: "データをダウンロード",
    after: "リクエストした覚えがない場合は、パスワードを変更し、管理者に連絡してください。",
  },
};
