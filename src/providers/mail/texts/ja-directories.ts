import type { DirectoryEmailKinds } from "./shape.ts";

/** E-mails about the directory of an organization. */
export const directoryEmails: DirectoryEmailKinds = {
  api_key_expiring: {
    subject: "ディレクトリのキー「{{key_name}}」の有効期限が近づいています",
    preheader: "残り{{valid_for}}です。期限までにキーを交換してください。",
    title: "ディレクトリのキーの有効期限が近づいています",
    lead:
      "サービスアカウント「{{key_name}}」の API キーの有効期限は残り{{valid_for}}です。" +
      "期限が切れると、ディレクトリはユーザーの作成も無効化もできなくなり、退職したユーザーのアクセスが残ります。",
    button: "キーを交換",
    after: "ページで 2 つ目のキーを作成し、ディレクトリに入力してください。その後、古いキーを無効化してください。",
  },
  directory_joined: {
    subject: "アカウントが {{organization_name}} に追加されました",
    preheader: "組織のディレクトリが追加しました。",
    title: "組織に追加されました",
    lead:
      "{{organization_name}} のディレクトリが、{{brand}} のアカウントをメンバーとして" +
      "追加しました。パスワード、ほかのログイン方法、ほかの組織は変わりません。組織はメンバーシップを終了できますが、" +
      "アカウントは終了できません。",
    button: "アカウントを開く",
    after: "この組織に心当たりがない場合は、アカウントのページで組織を退出できます。",
  },
  directory_refused: {
    subject: "ディレクトリによる変更を拒否しました",
    preheader: "最後のオーナーと緊急アクセスのユーザーは有効なままです。",
    title: "ディレクトリによる変更を拒否しました",
    lead:
      "{{organization_name}} のディレクトリが、{{brand}} で最後のオーナーまたは緊急ア" +
      "クセスのユーザーを無効化または削除しようとしました。組織を利用できる状態に保つため、ユーザーは有効なままです。",
    button: "ディレクトリを確認",
    after:
      "このユーザーが退職する場合は、先に別のメンバーをオーナーにするか、緊急アクセスのユーザーを変更してください。",
  },
};
