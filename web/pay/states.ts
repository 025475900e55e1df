// Shared by the payment page and its script.
export interface PayData {
  statePath: string;
  states: Record<string, { title: string; text: string; payable: boolean }>;
  symbol: string;
  expiresAt: number;
  receivedAmount: number | null;
}

const PAID = ["credited", "overpaid", "late"];

/** Nothing more can happen: the purchase has been delivered. */
export const isPaid = (status: string) => PAID.includes(status);
