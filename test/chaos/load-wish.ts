// The parameters of the load process, passed as JSON.

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
  /** Existing names of the world. */
  known: { handle: string; userId: string; tradeId: string; tokenAddress: string; symbol: string }[];
  requestTimeoutMs: number;
}

/** The parameters of one lane of this kind. */
export interface AbusiveLane {
  lane: string;
  secret: string;
}
