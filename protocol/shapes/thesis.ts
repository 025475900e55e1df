// Theses, comments and the links in them. A link that a browser must not follow is left out of its list.
import {
  Malformed,
  nullable,
  object,
  optional,
  type ReadOf,
  type Schema,
  type WrittenOf,
} from "../schema.ts";
import { amount, count, flag, handle, name, prose, time, uuid, webAddress, word } from "../values.ts";
import { token } from "./token.ts";

const LINKS_MAX = 100;

const link = object({
  text: name,
  link: webAddress as Schema<string | null, string>,
  provider: nullable(name),
});
export type WireLink = WrittenOf<typeof link>;
interface Link {
  text: string;
  link: string;
  provider: string | null;
}

/** A text is complete without an unusable link, so those are not counted as dropped rows. */
const links: Schema<Link[], WireLink[]> = {
  read: (value, field) => {
    if (!Array.isArray(value) || value.length > LINKS_MAX) throw new Malformed(field);
    return value.flatMap((each): Link[] => {
      try {
        const read = link.read(each, field);
        return read.link === null ? [] : [{ ...read, link: read.link }];
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        return [];
      }
    });
  },
};

export const thesis = object({
  id: word,
  tradeId: uuid,
  userId: uuid,
  handle,
  displayName: name,
  avatar: webAddress,
  text: prose,
  /** Absent on the global list, where a platform need not count. */
  likes: optional(count),
  /** This and the figures of the position are null where the platform does not know them. */
  replies: nullable(count),
  links,
  isDev: flag,
  /** The writer's current holding of the token, in dollars. */
  equityUsd: nullable(amount),
  tradeUsd: nullable(amount),
  realizedPnlUsd: nullable(amount),
  unrealizedPnlUsd: nullable(amount),
  token,
  createdAt: time,
});
export type Thesis = ReadOf<typeof thesis>;
export type WireThesis = WrittenOf<typeof thesis>;

export const comment = object({
  id: word,
  tradeId: uuid,
  userId: uuid,
  handle,
  text: prose,
  likes: count,
  parentId: nullable(word),
  links,
  createdAt: time,
});
export type Comment = ReadOf<typeof comment>;
export type WireComment = WrittenOf<typeof comment>;
