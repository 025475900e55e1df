import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../../contract/chains.ts";
import type { FollowedLeader } from "./leader.ts";
import { noteOf } from "./present.ts";
import { standardTerms } from "./terms.ts";

const [ETHEREUM, BASE] = [1, 8453];
const terms = standardTerms("7d", 0);
const answer = { doubts: [], follower: { orders: 3 } } as unknown as Parameters<typeof noteOf>[1];

/** One who traded on these chains, at these fees. */
const leader = (...traded: [networkId: number, networkFeeUsd: number | null][]) =>
  ({
    books: { available: true },
    copied: {
      books: traded.map(([networkId, networkFeeUsd]) => ({
        position: { token: { networkId, address: "0xa" } },
        later: [{ kind: "buy", networkFeeUsd }],
      })),
    },
  }) as unknown as FollowedLeader;

test("a note says on which chains no network fee is known, unless the terms name one", () => {
  const leaders = [leader([ETHEREUM, null], [BASE, null]), leader([BASE, 0.02])];
  const sentence = "What the network took is not known on eth, and counts as 0 there.";
  expect(noteOf(leaders, answer, terms, DEFAULT_CHAINS)).toBe(sentence);
  const named = { costs: { ...terms.costs, networkFeeUsd: 0.1 } };
  expect(noteOf(leaders, answer, named, DEFAULT_CHAINS)).toBeNull();
  expect(noteOf([leader([BASE, 0])], answer, terms, DEFAULT_CHAINS)).toBeNull();
});
