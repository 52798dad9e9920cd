/** Japanese: templates of roles in the console. */
import type { RoleTemplateTexts } from "../en/role-templates.ts";

export const roleTemplateTexts: RoleTemplateTexts = {
  templates: {
    title: "ロールのテンプレート",
    lead: "すべての組織がメンバーに割り当てられるロールです。",
    create: "新しいテンプレート",
    createAction: "テンプレートを作成",
    newLead: "テンプレートにはオーナーの権限を含められません。組織はすぐに割り当てられます。",
    none: "テンプレートはまだありません。監査ログの閲覧など、すべての組織の業務に合わせて作成してください。",
    organizations: "組織",
    ownersOnly: "この権限は、組織が独自のロールで付与します。",
    created: "テンプレートを作成しました。",
    saved: "テンプレートを保存しました。新しい権限はすぐに有効になります。",
    deleted: "テンプレートを削除しました。",
    wider:
      "変更した権限はすぐにメンバーに適用されます。権限を追加すると、テンプレートを使用する組織のオーナーにメールが届きます。",
  },
};
