// A trader: one person on the upstream platform. `userId` survives a rename; the handle does not.
import type { Holding } from "./token.ts";

export interface Clan {
  id: string;
  name: string;
  icon: string | null;
  role: string | null;
}

/** A person as lists show them, without wallets. */
export interface Person {
  userId: string;
  handle: string;
  displayName: string;
  avatar: string | null;
  verified: boolean;
  bio: string | null;
  twitter: string | null;
  clan: Clan | null;
  private: boolean;
  followers: number;
  following: number;
  trades: number;
  swapCount: number;
  volumeUsd: number;
  pnl24h: number | null;
  createdAt: number;
}

export const PNL_WINDOWS = ["24h", "7d", "30d", "all"] as const;
export type PnlWindow = (typeof PNL_WINDOWS)[number];

export interface Wallets {
  status: "resolved" | "resolving";
  solana: string | null;
  evm: string | null;
  verified: boolean;
  evidence: { solana: string | null; evm: string | null };
}

export interface Trader extends Person {
  wallets: Wallets;
  formerHandles: string[];
  pnl: Record<PnlWindow, number>;
  averageHoldTimeSeconds: number | null;
  holdingsCount: number;
  /** The ten largest. */
  holdings: Holding[];
}

export interface LeaderboardRow {
  rank: number;
  userId: string;
  handle: string;
  displayName: string;
  verified: boolean;
  pnlUsd: number;
  volumeUsd: number;
  trades: number;
  followers: number;
  holdingsCount: number;
  wallets: { solana: string | null; evm: string | null };
  topTokens: Holding[];
}
