/** Japanese: groups of members. */
import type { GroupTexts } from "../en/groups.ts";

export const groupTexts: GroupTexts = {
  groups: {
    title: "グループ",
    lead: "グループはメンバーの一覧です。グループのロールは、グループのすべてのメンバーに適用されます。",
    group: "グループ",
    create: "新しいグループ",
    none: "グループはまだありません。チームや業務のグループを作成してください。",
    rolesOfMembers: "メンバーのロール",
    add: "メンバーのメールアドレス",
    addAction: "追加",
    addedAt: "追加日",
    noMembers: "グループにメンバーはいません。",
    remove: "グループを削除",
    removeText: "メンバーからグループのロールがすぐに外れます。メンバーは組織に残ります。",
    created: "グループを作成しました。",
    saved: "グループを保存しました。ロールはすぐに有効になります。",
    deleted: "グループを削除しました。",
    added: "メンバーを追加しました。",
    removed: "メンバーをグループから外しました。",
    taken: "この名前のグループがあるか、グループの上限に達しています。",
    tooManyRoles: "メンバーの追加ロールは最大 10 個です。",
    tooManyForMember: "メンバーの追加ロールが 10 個を超えます。",
    notMember: "このアドレスのメンバーは組織にいません。",
    full: "グループのメンバーが上限に達しています。",
    ofDirectory: "このグループはディレクトリが管理しています。",
    notYours: "組織のグループを表示する権限がありません。",
    notYoursToChange: "グループを変更する権限がありません。",
    notIncluded: "グループは組織のプランに含まれていません。",
    removeTitle: (name) => `グループ ${name} を削除しますか？`,
    fixed: {
      directory: "このグループはディレクトリが管理しています。グループのロールはディレクトリのページで割り当てます。",
      permission: "グループを変更する権限がありません。",
      above: "自分が持たない権限のロールを付与するグループのため、変更できません。",
    },
  },
};
