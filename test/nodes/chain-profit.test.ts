// One profit on a real chain: what every route says of people who trade on an EVM chain is what books kept by hand say.
import { expect, test } from "bun:test";
import { tellChainStory } from "../support/chain-story.ts";

// `npm run bench -- profit-chain` tells a longer one of 20 traders.
test("leaderboard, user, curve, positions and proof of a chain's traders are the books kept by hand, to the cent", async () => {
  const { agreement, wrong, unpriced } = await tellChainStory("a", 6, 1);
  expect(wrong).toEqual([]);
  expect([agreement.different, agreement.refused]).toEqual([[], []]);
  // One of the tokens has no price where a window begins.
  expect(unpriced).toBeGreaterThan(0);
  expect(agreement.ranked).toBe(24);
}, 900_000);
