// S4: what an event costs with 5,000 distinct filters over 10,000 sockets, against 50 filters, for the same number
// of matching sockets; and what it costs when nobody asked for it.
// Run: bun bench/filters.ts
import { CROWDTAPE, openCrowd, printTable, rounded, startSubject } from "./stream-load.ts";

const SOCKETS = 10_000;
const GROUPS = 50;
const EVENTS = 400;
const FILTER_COUNTS = [50, 5_000] as const;

const rows: Record<string, string | number>[] = [];
const first = { matching: 0, other: 0 };
for (const filters of FILTER_COUNTS) {
  const running = await startSubject(CROWDTAPE);
  // Filter i asks for trader i mod 50; a minimum of its own makes it distinct and is always met.
  const crowd = await openCrowd(running.ready.port, SOCKETS, (index) => {
    const filter = index % filters;
    return `${running.ready.path}&trader=group${filter % GROUPS}&minUsd=${Math.floor(filter / GROUPS)}`;
  });
  const matchingSockets = SOCKETS / GROUPS;
  const measure = async (trader: (round: number) => string, sockets: number) => {
    const before = await running.ask({ do: "usage" });
    for (let i = 0; i < EVENTS; i++) {
      const mark = `mark-${trader(i)}-${i}-${sockets}-end`;
      const seen = crowd.seen(mark, sockets);
      await running.ask({ do: "trade", trader: trader(i), mark, events: 1 });
      if (sockets > 0) await seen;
    }
    const after = await running.ask({ do: "usage" });
    return (after.cpuMicros - before.cpuMicros) / EVENTS;
  };
  await measure((i) => `group${i % GROUPS}`, matchingSockets);
  const matching = await measure((i) => `group${i % GROUPS}`, matchingSockets);
  const other = await measure((i) => `stranger${i}`, 0);
  if (filters === FILTER_COUNTS[0]) Object.assign(first, { matching, other });
  rows.push({
    filters,
    [`µs an event to ${matchingSockets} sockets`]: rounded(matching, 0),
    "× at 50": rounded(matching / first.matching),
    "µs an event to none": rounded(other, 0),
    "× at 50 ": rounded(other / first.other),
  });
  crowd.close();
  await running.stop();
}
printTable(`${SOCKETS} sockets, server CPU, the event's append included (the bar: at most 2×)`, rows);
process.exit(0);
