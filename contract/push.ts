// The contract of Web Push: what a browser requests, how many subscriptions are stored, and what is sent to them.
import { z } from "zod";
import type { CrowdNews } from "./crowd.ts";
import type { ServedAlert } from "./shapes/types.ts";

export const PUSH = {
  /** Browsers per address: a household, an office. */
  perAddressMax: 20,
  /** Browsers that one server stores. */
  subscriptionsMax: 10_000,
  /** Traders, and tokens; as many as a browser's own list can contain. */
  namesMax: 200,
  /** Viewing a page renews it; a browser that doesn't come back for this long is dropped. */
  keptDays: 60,
  /** How long a push service may hold a message for a browser that is off. */
  ttlSeconds: 3_600,
  /** The most that browsers' push services accept, encrypted. */
  bytesMax: 4_096,
} as const;

const ENDPOINT_LENGTH_MAX = 1_024;
const NAME_LENGTH_MAX = 64;
const CROWD_MAX = 100;
/** 65 and 16 bytes. */
const PUBLIC_KEY = /^[\w-]{87}$/;
const AUTH = /^[\w-]{22}$/;

const names = z.array(z.string().min(1).max(NAME_LENGTH_MAX)).max(PUSH.namesMax);

export const PushWish = z.strictObject({
  endpoint: z.string().max(ENDPOINT_LENGTH_MAX),
  p256dh: z.string().regex(PUBLIC_KEY),
  auth: z.string().regex(AUTH),
  traders: names,
  tokens: names,
  /** Every buy, sell and thesis of these traders. */
  each: z.boolean(),
  /** This many of them buying the same token; 0 means never. */
  crowd: z.int().min(0).max(CROWD_MAX),
});
export type PushWish = z.infer<typeof PushWish>;

export const PushEnd = PushWish.pick({ endpoint: true });

/** The fields of an alert that a notification's text is made from. */
export type PushedAlert = Pick<
  ServedAlert,
  "alertType" | "trader" | "token" | "tradeId" | "tokenAddress" | "chainId" | "text" | "seq"
> & { fillUsd?: number | null | undefined };

/** The decrypted message. The browser writes the text itself. */
export type Pushed =
  | { kind: "alert"; alert: PushedAlert }
  /** An alert that it may have shown, and that a re-org undid. */
  | { kind: "gone"; alert: PushedAlert }
  | { kind: "crowd"; crowd: CrowdNews }
  /** Too many at once to show each. */
  | { kind: "many"; count: number; seq: number };
