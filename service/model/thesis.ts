// A thesis: the written reason for a position. A comment: what others say under it.
import type { Token } from "./token.ts";

export interface Link {
  text: string;
  link: string;
  provider: string | null;
}

export interface Thesis {
  id: string;
  tradeId: string;
  userId: string;
  handle: string;
  displayName: string;
  avatar: string | null;
  text: string;
  /** null where upstream does not count them. */
  likes: number | null;
  replies: number;
  links: Link[];
  isDev: boolean;
  equityUsd: number;
  tradeUsd: number;
  realizedPnlUsd: number;
  unrealizedPnlUsd: number;
  token: Token;
  createdAt: number;
}

export interface Comment {
  id: string;
  tradeId: string;
  userId: string;
  handle: string;
  text: string;
  likes: number;
  parentId: string | null;
  links: Link[];
  createdAt: number;
}
