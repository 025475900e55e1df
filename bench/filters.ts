// S4: the cost of an event with 5,000 distinct filters over 10,000 sockets, compared with 50 filters, for the same number of
// matching sockets; and its cost when no filter matches. Run: bun bench/filters.ts [--quick]
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { CROWDTAPE, openCrowd, startSubject } from "./stream-load.ts";

const SOCKETS = 10_000;
/** Traders in the filters; each is wanted by the same number of sockets, however many filters they share. */
const GROUPS = 50;
const MATCHING = SOCKETS / GROUPS;
const [FEW, MANY] = [50, 5_000] as const;

/** CPU micros per event. */
interface FilterCost {
  matching: number;
  other: number;
}

await suite(async ({ quick, rounds }): Promise<Measured> => {
  const events = quick ? 100 : 200;
  const results: Record<number, FilterCost[]> = {};
  const notes: string[] = [];
  // One after the other, not in turns: both crowds at once are more sockets than a process may have.
  for (const filters of [FEW, MANY]) {
    const running = await startSubject(CROWDTAPE);
    // Filter i selects trader i mod 50; its own minimum makes it distinct and is always met.
    const crowd = await openCrowd(running.ready.port, SOCKETS, (index) => {
      const filter = index % filters;
      return `${running.ready.path}&trader=group${filter % GROUPS}&minUsd=${Math.floor(filter / GROUPS)}`;
    });
    let made = 0;
    const cost = async (trader: (index: number) => string, sockets: number) => {
      const before = await running.ask({ do: "usage" });
      for (let i = 0; i < events; i++) {
        const mark = `mark-${++made}-end`;
        const seen = crowd.seen(mark, sockets);
        await running.ask({ do: "trade", trader: trader(i), mark, events: 1 });
        await seen;
      }
      const after = await running.ask({ do: "usage" });
      return (after.cpuMicros - before.cpuMicros) / events;
    };
    const measure = async (): Promise<FilterCost> => ({
      matching: await cost((i) => `group${i % GROUPS}`, MATCHING),
      other: await cost((i) => `stranger${i}`, 0),
    });
    await measure();
    const measured = await interleaved([{ name: String(filters), measure }], rounds);
    results[filters] = measured.kept.flatMap((round) => Object.values(round));
    notes.push(...measured.notes);
    crowd.close();
    await running.stop();
  }

  const of = (filters: number, what: keyof FilterCost) => spreadOf(costs(filters, what));
  const costs = (filters: number, what: keyof FilterCost) =>
    (results[filters] ?? []).map((cost) => cost[what]);
  const times = (what: keyof FilterCost) =>
    spreadOf(costs(MANY, what).map((cost, round) => cost / (costs(FEW, what)[round] ?? Number.NaN)));
  const finding = (bar: string, what: keyof FilterCost) => ({
    bar,
    result: `${spreadText(times(what))} ×`,
    met: times(what).median <= 2,
  });
  return {
    findings: [
      finding(`at most 2 × the cost at ${FEW} filters, for an event to ${MATCHING} sockets`, "matching"),
      finding("the same for an event that no filter matches", "other"),
    ],
    tables: [
      {
        title: `${figure(SOCKETS, 0)} sockets, CPU of the server, the event's append included`,
        columns: ["filters", `µs an event to ${MATCHING} sockets`, "µs an event to none"],
        rows: [FEW, MANY].map((filters) => [
          figure(filters, 0),
          spreadText(of(filters, "matching"), 0),
          spreadText(of(filters, "other"), 0),
        ]),
      },
    ],
    notes,
  };
});
