import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../../contract/chains.ts";
import type { FollowedLeader } from "./leader.ts";
import { noteOf } from "./present.ts";
import { standardTerms } from "./terms.ts";

const [ETHEREUM, BASE] = [1, 8453];
const terms = standardTerms("7d", 0);
const answer = { doubts: [], follower: { orders: 3 } } as unknown as Parameters<typeof noteOf>[1]["answer"];
const known = { answer, unpriced: 0 };

/** A leader who traded on these chains, at these fees. */
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
  expect(noteOf(leaders, known, terms, DEFAULT_CHAINS)).toBe(sentence);
  const named = { costs: { ...terms.costs, networkFeeUsd: 0.1 } };
  expect(noteOf(leaders, known, named, DEFAULT_CHAINS)).toBeNull();
  expect(noteOf([leader([BASE, 0])], known, terms, DEFAULT_CHAINS)).toBeNull();
});

test("a note says how many of the leader's positions are not in its profit", () => {
  const leaders = [leader([BASE, 0])];
  const sentence = "2 of the leader's positions are left out of its profit: a price or a cost is not known.";
  expect(noteOf(leaders, { answer, unpriced: 2 }, terms, DEFAULT_CHAINS)).toBe(sentence);
  const nothing = { ...answer, follower: { ...answer.follower, orders: 0 } };
  expect(noteOf(leaders, { answer: nothing, unpriced: 2 }, terms, DEFAULT_CHAINS)).toBe(
    `There was nothing to copy in this window. ${sentence}`,
  );
});
