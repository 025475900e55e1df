// Plans: what each includes, in one table. The pricing page, the limits, the ledger's buckets and the documents all use it.

export const PLAN_NAMES = ["free", "starter", "growth", "scale"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export interface Plan {
  name: PlanName;
  title: string;
  priceUsd: number;
  creditsPerMonth: number;
  requestsPerMinute: number;
  socketsAtOnce: number;
  resolutionsPerMonth: number;
  /** The delay of the app feed, after any initial realtime days. */
  delaySeconds: number;
  /** Days of realtime from the key's creation, on a plan that is delayed afterwards. */
  realtimeDays: number | null;
  /** /ws/trades and candles. */
  onChain: boolean;
  /** Endpoints that the feed is posted to. */
  webhooks: number;
}

/** The cost of resolving one trader; the monthly allowance is the bucket divided by it. */
const CREDITS_PER_RESOLUTION = 2_500;

const plan = (
  name: PlanName,
  row: Omit<Plan, "name" | "title" | "resolutionsPerMonth"> & { title: string },
): Plan => ({ ...row, name, resolutionsPerMonth: row.creditsPerMonth / CREDITS_PER_RESOLUTION });

export const PLANS: Record<PlanName, Plan> = {
  free: plan("free", {
    title: "Free",
    priceUsd: 0,
    creditsPerMonth: 250_000,
    requestsPerMinute: 60,
    socketsAtOnce: 2,
    delaySeconds: 15,
    realtimeDays: 7,
    onChain: false,
    webhooks: 0,
  }),
  starter: plan("starter", {
    title: "Starter",
    priceUsd: 49.99,
    creditsPerMonth: 2_500_000,
    requestsPerMinute: 150,
    socketsAtOnce: 5,
    delaySeconds: 0,
    realtimeDays: null,
    onChain: false,
    webhooks: 2,
  }),
  growth: plan("growth", {
    title: "Growth",
    priceUsd: 599,
    creditsPerMonth: 37_500_000,
    requestsPerMinute: 600,
    socketsAtOnce: 25,
    delaySeconds: 0,
    realtimeDays: null,
    onChain: true,
    webhooks: 10,
  }),
  scale: plan("scale", {
    title: "Scale",
    priceUsd: 1_500,
    creditsPerMonth: 112_500_000,
    requestsPerMinute: 3_000,
    socketsAtOnce: 100,
    delaySeconds: 0,
    realtimeDays: null,
    onChain: true,
    webhooks: 50,
  }),
};

/** Calls without a key, counted per address. */
export const KEYLESS = { requestsPerMinute: 20, socketsAtOnce: 2, delaySeconds: 60 } as const;

/** The explorer's own pages, counted per address: a page makes a handful of calls, a board one per visible curve. */
export const VISITOR = {
  requestsPerMinute: 600,
  /** Rendering a page takes about 40 ms on the server. */
  pagesPerMinute: 120,
} as const;

/** Prepaid credits: they never expire and are used after the monthly ones. */
export const PREPAID = { creditsPerUsd: 40_000, minimumUsd: 5, maximumUsd: 10_000 } as const;
