// A board without any trades is an empty board; one that could not be read is a free 503.
import { expect, test } from "bun:test";
import type { Fault } from "../../../contract/errors.ts";
import { systemClock } from "../../../kit/clock.ts";
import type { Services } from "../services.ts";
import { leaderboardRoutes } from "./leaderboards.ts";

function routesOver(outcome: unknown) {
  const services = {
    upstream: { board: async () => outcome },
    store: { boards: { find: async () => null } },
    clock: systemClock(),
  };
  const { getTrendingTokens } = leaderboardRoutes(services as unknown as Services);
  return getTrendingTokens({ params: {}, query: { limit: 10 } } as never, {} as never);
}

test("a tracker that was just started has an empty board", async () => {
  const answer = await routesOver({ kind: "found", value: { board: "trending", asOf: 1, rows: [] } });
  expect(answer.body).toMatchObject({ board: "trending", count: 0, tokens: [], stale: false, ageHours: 0 });
});

test("without a live or a captured answer there is no board", async () => {
  const refused = await routesOver({ kind: "timedOut" }).then(
    () => null,
    (error: Fault) => error.code,
  );
  expect(refused).toBe("upstream_timeout");
});
