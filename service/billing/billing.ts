// Sells credits and plans for cards and stablecoins. Both end in grants, and neither knows who owns an account.
import type { Database } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Access } from "../access/access.ts";
import { type CardBilling, createCardBilling } from "./card/card.ts";
import type { Letters } from "./card/record.ts";
import type { StripeSettings } from "./card/stripe.ts";
import { createSweeper } from "./card/sweeper.ts";
import {
  createStablecoinPayments,
  type StablecoinParts,
  type StablecoinPayments,
} from "./stablecoin/payments.ts";

export interface BillingSettings {
  /** Null: no cards, except for the built-in test checkout on a simulated platform. */
  stripe: StripeSettings | null;
  /** Whether the platform is simulated. */
  simulated: boolean;
  solana: StablecoinParts["settings"]["solana"];
  paymentExpiresMinutes: number;
}

export interface Billing {
  cards: CardBilling;
  payments: StablecoinPayments;
  start(): void;
  stop(): Promise<void>;
}

export interface BillingParts extends Kit {
  settings: BillingSettings;
  database: Database;
  access: Pick<Access, "grants" | "keys">;
  /** Receives mails for a buyer. */
  letters: Letters & { wake(): void };
  publicUrl: () => string;
}

export function createBilling(parts: BillingParts): Billing {
  const { settings, database, publicUrl, clock, log } = parts;
  const { grants, keys } = parts.access;
  const payments = createStablecoinPayments({
    ...parts,
    grants,
    settings: {
      solana: settings.solana,
      testChain: settings.simulated,
      expiresMinutes: settings.paymentExpiresMinutes,
      publicUrl,
    },
  });
  const cards = createCardBilling({
    ...parts,
    database,
    grants,
    keys,
    // Simulated payments are for a simulated world: a service with real data and no cards sells nothing by card.
    provider: settings.stripe ?? (settings.simulated ? "builtin" : null),
  });
  const sweeper = createSweeper({ sweep: cards.sweep, clock, log });
  return {
    cards,
    payments,
    start() {
      payments.watcher.start();
      sweeper.start();
    },
    async stop() {
      await sweeper.stop();
      await payments.watcher.stop();
    },
  };
}
