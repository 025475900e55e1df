// The texts of our mails. Plain text, one purpose each, and only what the reader needs.
import { PLANS, type PlanName } from "../../../contract/plans.ts";

export type Letter =
  | { kind: "paid"; plan: string }
  | { kind: "refused"; plan: string }
  | { kind: "webhook"; webhookId: string; host: string; days: number }
  | { kind: "link"; url: string; minutes: number };

export interface Text {
  subject: string;
  text: string;
}

export function write(letter: Letter, publicUrl: string): Text {
  switch (letter.kind) {
    case "paid":
      return {
        subject: `Your ${titleOf(letter.plan)} plan is paid`,
        text: lines(
          `Your ${titleOf(letter.plan)} plan is active. Thank you.`,
          "Your key was shown on the page after the payment, once. If you did not see it, or lost it, a new one is a form away:",
          `${publicUrl}/recover`,
          `The reference: ${publicUrl}/docs`,
        ),
      };
    case "refused":
      return {
        subject: `Your card was refused for the ${titleOf(letter.plan)} plan`,
        text: lines(
          `The renewal of your ${titleOf(letter.plan)} plan could not be charged. It will be tried again over the next days, and your keys continue working for seven days after the paid month.`,
          "If your card has changed, pay with the new one before then:",
          `${publicUrl}/pricing`,
        ),
      };
    case "webhook":
      return {
        subject: `Your webhook to ${letter.host} is paused`,
        text: lines(
          `Nothing could be delivered to ${letter.host} for ${letter.days} days, so your webhook ${letter.webhookId} is paused. No event is lost while the log keeps it.`,
          "Once your endpoint answers again, resume the webhook in the console or with PATCH /v2/webhooks; it continues where it stopped:",
          `${publicUrl}/console#webhooks`,
        ),
      };
    case "link":
      return {
        subject: "Your link to replace a key",
        text: lines(
          "Somebody, probably you, asked to replace a key of this address. The link works once, for the next " +
            `${letter.minutes} minutes:`,
          letter.url,
          "It also lets you stop a card from renewing. If it was not you, do nothing: your keys stay as they are.",
        ),
      };
  }
}

function lines(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n\nCrowdtape\n`;
}

function titleOf(plan: string): string {
  return plan in PLANS ? PLANS[plan as PlanName].title : plan;
}
