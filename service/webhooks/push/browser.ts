// One browser in memory: its filter, its queue, and its delivery state.
import { createCrowd } from "../../../contract/crowd.ts";
import type { Pushed, PushedAlert } from "../../../contract/push.ts";
import type { ServedAlert } from "../../../contract/shapes/types.ts";
import type { Backoff } from "../../../kit/backoff.ts";
import { EVERYTHING, type FeedFilter } from "../../feed/filter.ts";
import type { StoredPush } from "../../store/money/pushes.ts";

/** The follows, as matched and stored. */
export interface StoredWish {
  /** Forms of a filter. */
  traders: string[];
  tokens: string[];
  each: boolean;
  crowd: number;
}

interface ReadyPush {
  seq: number;
  pushed: Pushed;
}

/** Shown one by one; if more are waiting, as a single notification. */
const SHOWN_MAX = 3;
/** Kept to be shown: beyond it they are only counted. */
const READY_MAX = 20;
const TEXT_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 64;
const NAMED_MAX = 4;
const TOLD_TYPES = ["buy", "sell", "thesis"];

const ofTypes = (more: Partial<FeedFilter>): FeedFilter => ({ ...EVERYTHING, types: TOLD_TYPES, ...more });

export type Via = "trader" | "token";

/** A browser's filters: a trader or a token that it follows. */
export function filtersOf({ traders, tokens }: StoredWish): [Via, FeedFilter][] {
  const filters: [Via, FeedFilter][] = [];
  if (traders.length > 0) filters.push(["trader", ofTypes({ traders })]);
  if (tokens.length > 0) filters.push(["token", ofTypes({ tokens })]);
  return filters;
}

export function browserOf(row: StoredPush, backoff: Backoff) {
  const wish = JSON.parse(row.wish) as StoredWish;
  return {
    row,
    wish,
    crowd: wish.crowd > 0 ? createCrowd(wish.crowd) : null,
    /** In the order of the log. */
    ready: [] as ReadyPush[],
    /** Everything up to here is delivered, or in `ready`. */
    coveredTo: row.position,
    /** The number beyond those kept in `ready`. */
    more: 0,
    isBusy: false,
    failingSince: null as number | null,
    backoff,
  };
}

export type PushBrowser = ReturnType<typeof browserOf>;

/** The row was renewed or changed; the queue stays, because those events were followed when they happened. */
export function renew(browser: PushBrowser, row: StoredPush): void {
  const wish = JSON.parse(row.wish) as StoredWish;
  if (wish.crowd !== browser.wish.crowd) browser.crowd = wish.crowd > 0 ? createCrowd(wish.crowd) : null;
  const { position, waitUntil } = browser.row;
  browser.row = { ...row, position: Math.max(row.position, position), waitUntil };
  browser.wish = wish;
}

/** An event that matches one of its filters, or both. Called in the order of the log. */
export function hear(browser: PushBrowser, alert: ServedAlert, vias: ReadonlySet<Via>): void {
  const news = vias.has("trader") ? (browser.crowd?.add(alert) ?? null) : null;
  // Heard before, by this node or another: it only counts towards a crowd.
  if (alert.seq <= browser.coveredTo) return;
  browser.coveredTo = alert.seq;
  if (news)
    keep(browser, alert.seq, {
      kind: "crowd",
      crowd: { ...news, symbol: shortened(news.symbol), traders: news.traders.slice(0, NAMED_MAX) },
    });
  if (isShown(browser, vias)) keep(browser, alert.seq, { kind: "alert", alert: partsOf(alert) });
}

/** Whether it is shown every alert matched by these follows. */
const isShown = ({ wish }: PushBrowser, vias: ReadonlySet<Via>) =>
  (wish.each && vias.has("trader")) || vias.has("token");

/**
 * An alert that it may have heard was undone, at this later place in the log. One that still waits is dropped; one that was sent,
 * or is just being sent, is followed by a message that takes its place. A crowd that it was part of stays.
 */
export function takeBack(
  browser: PushBrowser,
  undone: ServedAlert,
  { seq, vias }: { seq: number; vias: ReadonlySet<Via> },
): void {
  if (seq <= browser.coveredTo) return;
  browser.coveredTo = seq;
  const { ready, isBusy, row } = browser;
  if (undone.seq <= row.askedAfter || !isShown(browser, vias)) return;
  const at = ready.findIndex(({ pushed }) => pushed.kind === "alert" && pushed.alert.seq === undone.seq);
  const isSent = undone.seq <= row.position || (isBusy && at >= 0);
  if (isSent) keep(browser, seq, { kind: "gone", alert: partsOf(undone) });
  else if (at >= 0) ready.splice(at, 1);
}

function keep(browser: PushBrowser, seq: number, pushed: Pushed): void {
  if (browser.ready.length < READY_MAX) browser.ready.push({ seq, pushed });
  else browser.more += 1;
}

const shortened = (name: string) => name.slice(0, NAME_LENGTH_MAX);

function partsOf(alert: ServedAlert): PushedAlert {
  const { alertType, trader, token, tradeId, tokenAddress, chainId, text, seq } = alert;
  return {
    alertType,
    trader: trader && shortened(trader),
    token: token && shortened(token),
    tradeId,
    tokenAddress,
    chainId,
    text: alertType === "thesis" ? (text?.slice(0, TEXT_LENGTH_MAX) ?? null) : null,
    fillUsd: alert.fillUsd ?? null,
    seq,
  };
}

/** The next message, how many of `ready` it stands for, and the position that its delivery reaches. */
export function nextMessage(browser: PushBrowser): { pushed: Pushed; taken: number; upTo: number } | null {
  const { ready, more } = browser;
  const [first, second] = ready;
  if (!first) return null;
  const count = ready.length + more;
  if (count > SHOWN_MAX) {
    const upTo = browser.coveredTo;
    return { pushed: { kind: "many", count, seq: upTo }, taken: ready.length, upTo };
  }
  // Two can be of one event; it is delivered when both are.
  return { pushed: first.pushed, taken: 1, upTo: second?.seq === first.seq ? first.seq - 1 : first.seq };
}
