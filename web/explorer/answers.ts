// Shared by the explorer's pages: helpers for their calls.

export const WINDOWS = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["all", "All time"],
] as const;
export type WindowName = (typeof WINDOWS)[number][0];

export const BOARDS = [
  ["trending", "Trending"],
  ["most-held", "Most held"],
  ["graduated", "Graduated"],
] as const;
export type BoardId = (typeof BOARDS)[number][0];

/** Path and query of a call; empty values are left out. */
export function pathOf(path: string, query: Record<string, string | number | null | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

export const traderPath = (handle: string) => `/v2/users/${encodeURIComponent(handle)}`;
export const tradePath = (tradeId: string) => `/v2/trades/${encodeURIComponent(tradeId)}`;
export const tokenPath = (address: string, networkId = "") =>
  pathOf(`/v2/token/${encodeURIComponent(address)}`, { networkId });
export const proofPath = (handle: string, window: string) =>
  pathOf(`${traderPath(handle)}/pnl/proof`, { window });
export const pnlPath = (handle: string, window: string, interval = "") =>
  pathOf(`${traderPath(handle)}/pnl`, { window, interval });
