import { expect, test } from "bun:test";
import { appEvent } from "../../test/support/nouns.ts";
import { createChainPlaces } from "./chain-places.ts";
import { derive } from "./derive.ts";

test("a thesis known by its event alone has no figure that the event does not tell", () => {
  const event = appEvent({
    kind: "thesis",
    thesisId: "t1",
    text: "Volume is back.",
    fillUsd: null,
    positionValueUsd: null,
  });
  const [thesis] = derive([event], createChainPlaces()).theses;
  expect(thesis).toMatchObject({
    text: "Volume is back.",
    likes: null,
    replies: null,
    equityUsd: null,
    tradeUsd: null,
    realizedPnlUsd: null,
    unrealizedPnlUsd: null,
  });
});
