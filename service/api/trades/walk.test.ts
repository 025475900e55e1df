// A walk of closed trades says whether it returned all that the platform counts.
import { expect, test } from "bun:test";
import { createChains } from "../../../contract/chains.ts";
import { manualClock } from "../../../kit/clock.ts";
import { MIDNIGHT, position } from "../../../test/support/nouns.ts";
import type { RouteCall } from "../answer.ts";
import { createLabels } from "../present/labels.ts";
import { createWalk, type WalkParts } from "./walk.ts";

const CLOSED_A_PAGE = 25;

/** A platform that lists this many closed trades and counts this many. */
function walkOver(listed: number, counted: number) {
  const closed = Array.from({ length: listed }, (_, index) =>
    position({ status: "closed", closedAt: MIDNIGHT - index, lastActivityAt: MIDNIGHT - index }),
  );
  const trades = async (_userId: string, { cursor = "0" }: { cursor?: string }) => {
    const to = Number(cursor) + CLOSED_A_PAGE;
    return {
      kind: "found",
      value: {
        open: [],
        closed: closed.slice(Number(cursor), to),
        closedTotal: counted,
        nextCursor: to < listed ? String(to) : null,
      },
    };
  };
  const parts = {
    upstream: { trades },
    store: { log: { page: async () => ({ events: [] }) } },
    keeper: { positions: async () => undefined },
    labels: createLabels(createChains({ name: "altchain", aliases: [] }), () => "http://localhost"),
    clock: manualClock(MIDNIGHT),
  } as unknown as WalkParts;
  const walk = createWalk(parts);
  const trader = { userId: "u", handle: "h" } as Parameters<typeof walk>[0];
  return async (limit: number | undefined) => {
    const pages = [];
    let cursor: string | undefined = "start";
    while (cursor !== undefined) {
      const { body } = await walk(trader, { cursor, status: "all", limit }, {} as RouteCall);
      pages.push(body);
      cursor = body?.nextCursor ?? undefined;
    }
    return pages;
  };
}

test.each([undefined, 7])(
  "a walk that the platform cuts short says so on its last page (limit %p)",
  async (limit) => {
    const pages = await walkOver(200, 220)(limit);
    expect(pages.reduce((sum, page) => sum + (page?.closedCount ?? 0), 0)).toBe(200);
    expect(pages.at(-1)).toMatchObject({ truncated: true, nextCursor: null, note: expect.any(String) });
  },
);

test.each([undefined, 7])(
  "a complete walk is not reported as cut short, however long (limit %p)",
  async (limit) => {
    const pages = await walkOver(260, 260)(limit);
    expect(pages.reduce((sum, page) => sum + (page?.closedCount ?? 0), 0)).toBe(260);
    expect(pages.at(-1)).toMatchObject({ truncated: false, nextCursor: null, note: null });
  },
);
