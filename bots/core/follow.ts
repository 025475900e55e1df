// A chat's subscriptions: follows, each a filter over alerts with one meaning of every word, and mutes on top. A trader is
// followed by id and a token by chain and address, so that a rename or a token of the same name changes nothing.
import type { AlertFrame } from "../../client/src/generated.ts";
import { tokenSubject, traderSubject } from "./alert.ts";

export type AlertType = AlertFrame["alertType"];

export interface ChatFollow {
  /** As the user wrote it, for lists. */
  label: string;
  userId?: string;
  token?: { chainId: number; address: string };
  chainId?: number;
  types?: AlertType[];
  minUsd?: number;
}

function isWanted(follow: ChatFollow, alert: AlertFrame): boolean {
  const { userId, token, chainId, types, minUsd } = follow;
  return (
    (userId === undefined || alert.userId === userId) &&
    (token === undefined || subjectOf(alert) === tokenSubject(token.chainId, token.address)) &&
    (chainId === undefined || alert.chainId === chainId) &&
    (types === undefined || types.includes(alert.alertType)) &&
    (minUsd === undefined || (usdOf(alert) ?? -1) >= minUsd)
  );
}

/** An unknown value meets no minimum. */
const usdOf = ({ fillUsd, valueUsd, sizeUsd }: AlertFrame) => fillUsd ?? valueUsd ?? sizeUsd ?? null;

const subjectOf = ({ chainId, tokenAddress }: AlertFrame) =>
  chainId === null || tokenAddress === null ? null : tokenSubject(chainId, tokenAddress);

/** The keys an alert can be muted by. */
export function subjectsOf(alert: AlertFrame): string[] {
  const token = subjectOf(alert);
  return [
    ...(alert.userId === null ? [] : [traderSubject(alert.userId)]),
    ...(token === null ? [] : [token]),
  ];
}

/** An index of follows, so that an alert costs in proportion to its listeners and not to all chats. */
export interface FollowIndex {
  set(chat: string, follows: readonly ChatFollow[]): void;
  /** Chats with at least one follow that matches this alert. */
  find(alert: AlertFrame): string[];
}

const EVERYTHING = "all";

export function createFollowIndex(): FollowIndex {
  const byKey = new Map<string, Set<string>>();
  const followsOf = new Map<string, readonly ChatFollow[]>();
  const keyOf = ({ userId, token }: ChatFollow) => {
    if (userId !== undefined) return traderSubject(userId);
    return token ? tokenSubject(token.chainId, token.address) : EVERYTHING;
  };
  return {
    set(chat, follows) {
      for (const follow of followsOf.get(chat) ?? []) {
        const chats = byKey.get(keyOf(follow));
        chats?.delete(chat);
        if (chats?.size === 0) byKey.delete(keyOf(follow));
      }
      if (follows.length === 0) return void followsOf.delete(chat);
      followsOf.set(chat, [...follows]);
      for (const follow of follows) {
        const chats = byKey.get(keyOf(follow)) ?? new Set();
        byKey.set(keyOf(follow), chats.add(chat));
      }
    },
    find(alert) {
      const near = [EVERYTHING, ...subjectsOf(alert)].flatMap((key) => [...(byKey.get(key) ?? [])]);
      return [...new Set(near)].filter((chat) =>
        followsOf.get(chat)?.some((follow) => isWanted(follow, alert)),
      );
    },
  };
}
