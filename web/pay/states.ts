// What the payment page and its script agree on.
export interface PayData {
  statePath: string;
  states: Record<string, { title: string; text: string; payable: boolean }>;
  symbol: string;
  expiresAt: number;
  receivedAmount: number | null;
}

const PAID = ["credited", "overpaid", "late"];

/** Nothing more can happen: what was paid for is there. */
export const isPaid = (status: string) => PAID.includes(status);
