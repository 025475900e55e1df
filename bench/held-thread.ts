// S11: the longest time the thread is held on SQLite while a log of 1,000,000 events is replayed by filters that match
// nothing, searched by every pair of filters, and paged. All other requests wait for a turn of the event loop. For comparison,
// the turns of an idle process on the same machine. Run: bun bench/held-thread.ts [--quick]

import { DEFAULT_CHAINS } from "../contract/chains.ts";
import { sql } from "../database/sql.ts";
import { nextTurn } from "../kit/turn.ts";
import { DAY_MS, MINUTE_MS } from "../kit/units.ts";
import { readAlerts } from "../service/feed/alerts.ts";
import { storeDirectory } from "../service/feed/directory.ts";
import { filterFromQuery } from "../service/feed/filter-input.ts";
import { resolveFilter } from "../service/feed/resolve-filter.ts";
import type { Store } from "../service/store/store.ts";
import { connect } from "../service/streams/test-client.ts";
import { keyOf, startNode, type TestNode, temporaryFile } from "../service/streams/test-support.ts";
import { fillRows, rowsOf } from "../test/support/store-rows.ts";
import { figure } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { heldBy, type LongestTurns, turnsOf } from "./kit/turns.ts";

const HELD_MS_MAX = 20;
const ROWS = 1_000_000;
const QUICK_ROWS = 200_000;
/** Five replays of the whole log share the thread: half a minute of work, and longer if others use the core. */
const REPLAY_WAITS_MS = 15 * MINUTE_MS;
const IDLE = new URL("./peers/idle-turns.ts", import.meta.url).pathname;
const RESUMES = new URL("./peers/resumes.ts", import.meta.url).pathname;
/** Before the work and after it. */
const IDLE_MS = 5_000;
/** Pages of one search, so that its cursors are measured too. */
const PAGES = 3;

const FILTERS: Record<string, Record<string, string>> = {
  trader: { trader: "handle-7" },
  token: { token: "SYMBOL-7" },
  chain: { chain: "base" },
  "rare chain": { chain: "eth" },
  type: { type: "thesis" },
  "rare type": { type: "perp" },
  feed: { source: "feed" },
  push: { source: "push" },
  minUsd: { minUsd: "1000000000" },
  since: {},
};

/** The turns of a process that only runs its event loop. */
async function idleTurns(): Promise<LongestTurns> {
  const child = Bun.spawn([process.execPath, IDLE, String(IDLE_MS)], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text());
}

async function search(store: Store, query: Record<string, string>, since: number | null): Promise<void> {
  const written = filterFromQuery("alerts", query as never, DEFAULT_CHAINS);
  const { filter } = await resolveFilter(
    { ...written, minUsd: Number(query.minUsd ?? 0) },
    storeDirectory(store),
  );
  for (const order of ["desc", "asc"] as const) {
    let bounds = {};
    for (let page = 0; page < PAGES; page++) {
      // Each is a separate request.
      await nextTurn();
      const walk = { limit: 100, order, ...(since === null ? {} : { since }), ...bounds };
      const { events, hasMore, reached } = await readAlerts(store.log, filter, walk);
      const last = reached ?? events.at(-1)?.seq;
      if (!hasMore || last === undefined) break;
      bounds = order === "asc" ? { after: last } : { before: last };
    }
  }
}

async function replays(node: TestNode): Promise<() => Promise<void>> {
  const { secret } = await keyOf(node, "scale");
  const { epoch } = await node.store.log.head();
  // One-time work of a process, for its first socket and its first read of the log, belongs to its start, not to a replay.
  for (const path of ["/ws/alerts", "/ws/trades"]) {
    const { seq } = await node.store.log.head();
    const first = await connect(node.url, path, {
      key: secret,
      resume: `${epoch}.${seq - 2_000}`,
      minUsd: "1000000000",
    });
    await first.until(() => first.of("resumed").length > 0, "the end of a first replay");
    await first.close();
  }
  return async () => {
    const queries: [string, Record<string, string>][] = [
      ["/ws/alerts", { trader: "nobodyxx" }],
      ["/ws/alerts", { trader: "nobodyxx" }],
      ["/ws/alerts", { minUsd: "1000000000" }],
      ["/ws/alerts", { type: "perp" }],
      ["/ws/trades", { minUsd: "1000000000" }],
    ];
    await Promise.all(
      queries.map(async ([path, query]) => {
        const asked = { key: secret, resume: `${epoch}.0`, ...query };
        const client = await connect(node.url, path, asked, { waitsMs: REPLAY_WAITS_MS });
        await client.until(() => client.of("resumed").length > 0, "the end of the replay");
        await client.close();
      }),
    );
  };
}

/** Six keyless sockets resume everything: every read is written and sent to each, which leaves the most garbage. */
async function wholeResumes(node: TestNode): Promise<void> {
  const { epoch } = await node.store.log.head();
  const child = Bun.spawn([process.execPath, RESUMES, node.url, epoch, "6"], { stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error("the resumes did not end as they should");
}

const COLUMNS = [
  "work",
  "held, ms",
  "of it computing, ms",
  "of it waiting, ms",
  "longest by the clock, ms",
  "of it others had the core, ms",
  "took, ms",
];

await suite(async ({ quick }): Promise<Measured> => {
  const rows = quick ? QUICK_ROWS : ROWS;
  const { file, remove } = temporaryFile();
  const filling = await startNode({ file });
  await fillRows(filling.store, rowsOf(rows), { only: ["log_event"] });
  await filling.store.database.write((tx) => tx.run(sql`UPDATE log_head SET seq = ${rows}`));
  const newest = await filling.store.log.page({ limit: 1 });
  await filling.close();
  const node = await startNode({ file, manySockets: true });
  const since = (newest.events[0]?.capturedAt ?? 0) - 20 * DAY_MS;
  const idle = [await idleTurns()];
  const measured: [string, LongestTurns][] = [
    ["five replays at once that match nothing", await turnsOf(await replays(node))],
    ["six keyless resumes of everything", await turnsOf(() => wholeResumes(node))],
  ];
  for (const [one, first] of Object.entries(FILTERS)) {
    for (const [other, second] of Object.entries(FILTERS)) {
      if (one >= other) continue;
      const isSince = one === "since" || other === "since";
      const query = { ...first, ...second };
      const held = await turnsOf(() => search(node.store, query, isSince ? since : null));
      measured.push([`pages of ${one} and ${other}`, held]);
    }
  }
  measured.push(["pages of everything", await turnsOf(() => search(node.store, {}, null))]);
  await node.close();
  remove();
  idle.push(await idleTurns());
  const longest = measured.toSorted((a, b) => heldBy(b[1].longest) - heldBy(a[1].longest));
  const [worst] = longest;
  const heldMs = worst ? heldBy(worst[1].longest) : Number.NaN;
  const most = (
    of: (turns: LongestTurns) => number,
    among: LongestTurns[] = measured.map(([, turns]) => turns),
  ) => figure(Math.max(...among.map(of)));
  return {
    findings: [
      {
        bar: `the thread is held at most ${HELD_MS_MAX} ms at ${figure(rows, 0)} events`,
        result: `at most ${figure(heldMs)} ms (${worst?.[0]}), of it computing at most ${most((turns) => turns.computedMs)}`,
        met: heldMs <= HELD_MS_MAX,
        cause: `a process that only goes round its loop was held up to ${most((turns) => heldBy(turns.longest), idle)} ms in this run`,
      },
    ],
    tables: [
      {
        title: `the longest turns of the event loop, of ${measured.length} pieces of work on SQLite`,
        columns: COLUMNS,
        rows: [
          ...longest.slice(0, 12),
          ...idle.map((turns, index): [string, LongestTurns] => [
            `nothing, ${index === 0 ? "before" : "after"}`,
            turns,
          ]),
        ].map(([name, { longest: one, slowest, tookMs }]) => [
          name,
          figure(heldBy(one)),
          figure(one.computedMs),
          figure(Math.max(0, heldBy(one) - one.computedMs)),
          figure(slowest.wallMs),
          figure(slowest.takenMs),
          figure(tookMs, 0),
        ]),
      },
    ],
    notes: [
      "held is a turn's time by the clock less the time in which it could run and others, of this machine or of its host, had the core: it is computing, and waiting for the disk or a lock",
    ],
  };
});
