// S2: CPU of the server for each frame delivered, to a thousand sockets, beside the peers in the same run. What an
// event costs before anybody listens (our append to the log and its reading) is measured first and told apart.
// Run: bun bench/fanout.ts
import { CROWDTAPE, FANOUT_PEERS, openCrowd, printTable, rounded, startSubject } from "./stream-load.ts";

const SOCKETS = 1_000;
/** One at a time as in a quiet hour, and ten together as in a busy one. */
const BATCHES = [1, 10] as const;
const EVENTS = 300;

const rows: Record<string, string | number>[] = [];
let ours: number[] = [];
for (const subject of [CROWDTAPE, ...FANOUT_PEERS]) {
  const running = await startSubject(subject);
  /** CPU an event, each round seen by all of these sockets before the next. */
  const measure = async (batch: number, name: string, seen: (mark: string) => Promise<void>) => {
    const round = async (index: number) => {
      const mark = `mark-${name}-${batch}-${index}-end`;
      const arrived = seen(mark);
      await running.ask({ do: "publish", events: batch, mark });
      await arrived;
    };
    const rounds = EVENTS / batch;
    for (let i = 0; i < rounds / 5; i++) await round(-1 - i);
    const before = await running.ask({ do: "usage" });
    for (let i = 0; i < rounds; i++) await round(i);
    const after = await running.ask({ do: "usage" });
    return (after.cpuMicros - before.cpuMicros) / EVENTS;
  };
  const alone: number[] = [];
  for (const batch of BATCHES) alone.push(await measure(batch, "alone", () => Promise.resolve()));
  const crowd = await openCrowd(running.ready.port, SOCKETS, () => running.ready.path);
  const delivering: number[] = [];
  for (const batch of BATCHES)
    delivering.push(await measure(batch, "crowd", (mark) => crowd.seen(mark, SOCKETS)));
  const costs = delivering.map((cost, index) => (cost - (alone[index] ?? 0)) / SOCKETS);
  if (subject === CROWDTAPE) ours = costs;
  const row: Record<string, string | number> = { server: subject.name };
  for (const [index, batch] of BATCHES.entries()) {
    row[`${batch} at a time: µs a delivery`] = rounded(costs[index] ?? 0);
    row[`with the event itself (${batch})`] = rounded((delivering[index] ?? 0) / SOCKETS);
    row[`× ours (${batch})`] = rounded((costs[index] ?? 0) / (ours[index] ?? 1));
  }
  rows.push(row);
  crowd.close();
  await running.stop();
}
printTable(`Fan-out to ${SOCKETS} sockets, server CPU (the bar: at most 3 µs a delivery)`, rows);
process.exit(0);
