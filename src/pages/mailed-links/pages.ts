/** The pages of links in emails, in the order of docs/pages.md. */
import type { SignInDeps } from "../../deps.ts";
import type { Page } from "../page.ts";
import type { WaitingPageDeps } from "../shared/waiting-application.ts";
import type { SignedInUserDeps } from "../signed-in-user.ts";
import { acceptInvitationPage } from "./accept-invitation.tsx";
import { cancelDeletionPage } from "./cancel-deletion.tsx";
import { changeEmailPage } from "./change-email.tsx";
import { emailLinkPage } from "./email-link.tsx";
import { forgotPasswordPage } from "./forgot-password.tsx";
import { notMePage } from "./not-me.tsx";
import { resetPasswordPage } from "./reset-password.tsx";
import { resetReviewPage } from "./reset-review.tsx";
import { ticketPage } from "./ticket.tsx";
import { undoEmailPage } from "./undo-email.tsx";
import { verifyEmailPage } from "./verify-email.tsx";

export function mailedLinkPages(deps: SignInDeps & SignedInUserDeps & WaitingPageDeps): Page[] {
  return [
    forgotPasswordPage(deps),
    resetPasswordPage(deps),
    resetReviewPage(deps),
    verifyEmailPage(deps),
    changeEmailPage(deps),
    undoEmailPage(deps),
    notMePage(deps),
    cancelDeletionPage(deps),
    acceptInvitationPage(deps),
    ticketPage(deps),
    emailLinkPage(deps),
  ];
}
