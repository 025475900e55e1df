// What the process that makes the load is asked to do; it gets this as JSON.

export interface LoadWish {
  seed: string;
  /** Each node's address for clients. */
  urls: string[];
  journal: string;
  httpLanes: { lane: string; secret: string }[];
  streamLanes: { lane: string; secret: string; path: "/ws/alerts" | "/ws/trades" }[];
  batchLanes: AbusiveLane[];
  mintLanes: AbusiveLane[];
  floodLanes: AbusiveLane[];
  /** What exists in the world. */
  known: { handle: string; userId: string; tradeId: string; tokenAddress: string; symbol: string }[];
  requestTimeoutMs: number;
}

/** What one lane of this kind is given. */
export interface AbusiveLane {
  lane: string;
  secret: string;
}
