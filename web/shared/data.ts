// A page's initial data: rendered by the server, read back by the script. It is data in a script element that no browser
// executes, so a policy without inline scripts allows it.
import type { PlanName } from "../../contract/plans.ts";

/** How visitors without a key get data: by their cookie, or not at all. */
export type VisitorMode = "open" | "key";

/** The answer to one call, as stored in the page's cache. */
export interface Loaded {
  status: number;
  body: unknown;
  /** When it was requested, by the server's or the browser's clock. */
  at: number;
}

export interface PageData {
  page: string;
  params: Record<string, string>;
  query: Record<string, string>;
  mode: VisitorMode;
  chains: { id: number; name: string }[];
  plans?: PlanName[];
  /** Answers by request path. */
  loaded: Record<string, Loaded>;
  renderedAt: number;
  /** Whether the platform is simulated: nothing on it is on a chain. */
  isSimulated: boolean;
  /** Whether the platform has a picture for everyone and everything. */
  pictures?: boolean;
  /** Whether a visitor may have a wallet tracked. */
  tracksWallets?: boolean;
  /** The operator's chat bots: a name on Telegram, an application's id on Discord. */
  bots?: { telegram?: string; discord?: string };
  /** The server's key for Web Push, if configured. */
  pushKey?: string;
  /** Data that only one page needs. */
  extra?: unknown;
}

export const DATA_ELEMENT = "page-data";

/** JSON that can't terminate the script element that contains it. */
export function embeddable(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

export function readPageData(): PageData {
  return JSON.parse(document.getElementById(DATA_ELEMENT)?.textContent ?? "{}");
}
