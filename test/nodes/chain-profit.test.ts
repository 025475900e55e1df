// One profit on a real chain: every route's answer about people who trade on an EVM chain agrees with books kept by hand.
import { expect, test } from "bun:test";
import { tellChainStory } from "../support/chain-story.ts";

// `npm run bench -- profit-chain` runs a longer one with 20 traders.
test("leaderboard, user, curve, positions and proof of a chain's traders match the books kept by hand, to the cent", async () => {
  const { agreement, wrong, unpriced } = await tellChainStory("a", 6, 1);
  expect(wrong).toEqual([]);
  expect([agreement.different, agreement.refused]).toEqual([[], []]);
  // One of the tokens has no price at the start of a window.
  expect(unpriced).toBeGreaterThan(0);
  expect(agreement.ranked).toBe(24);
}, 900_000);
