// S2: the server's CPU per delivered frame, to a thousand sockets, next to other servers that send the same bytes in the same
// rounds. The cost of an event without listeners (our append to the log) is measured separately. Run: bun bench/fanout.ts
// [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import {
  BARE_BUN,
  CROWDTAPE,
  keepFrame,
  openCrowd,
  otherServers,
  type RunningSubject,
  SOCKET_IO,
  startSubject,
  WS,
} from "./stream-load.ts";

const SOCKETS = 1_000;
const EVENTS_A_ROUND = 100;
/** One at a time, each seen by all before the next, and ten together, as in a burst. The bars are checked against both. */
const TOGETHER = { one: 1, ten: 10 } as const;

interface FanoutCost {
  one: number;
  ten: number;
  /** One at a time, including the event's own cost, per delivery. */
  whole: number;
}

/** CPU micros per event; each group is seen by the whole crowd before the next. */
async function cpuAnEvent(
  running: RunningSubject,
  together: number,
  seen: (mark: string) => Promise<void>,
): Promise<number> {
  const before = await running.ask({ do: "usage" });
  for (let i = 0; i < EVENTS_A_ROUND / together; i++) {
    const mark = `mark-${i}-${before.cpuMicros}-end`;
    const arrived = seen(mark);
    await running.ask({ do: "publish", events: together, mark });
    await arrived;
  }
  const after = await running.ask({ do: "usage" });
  return (after.cpuMicros - before.cpuMicros) / EVENTS_A_ROUND;
}

/** Names the server whose sockets failed. */
const saying = (server: string) => (error: Error) => {
  throw new Error(`${server}: ${error.message}`);
};

const COLUMNS = [
  "server",
  "µs a delivery",
  "× ours",
  "with the event itself",
  "µs, ten together",
  "× ours, ten together",
];

await suite(async ({ rounds }): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-fanout-"));
  const frame = join(folder, "frame.json");
  const ours = await startSubject(CROWDTAPE);
  await keepFrame(ours, frame);
  const servers = [{ ...CROWDTAPE, running: ours }];
  for (const server of await otherServers(frame)) {
    servers.push({ ...server, running: await startSubject(server) });
  }
  const contenders = [];
  for (const { name, greeting, running } of servers) {
    /** The cost of an event without listeners. */
    const alone = async (together: number) => {
      const costs: number[] = [];
      for (let i = 0; i < 4; i++) costs.push(await cpuAnEvent(running, together, () => Promise.resolve()));
      return spreadOf(costs.slice(1)).median;
    };
    const [oneAlone, tenAlone] = [await alone(TOGETHER.one), await alone(TOGETHER.ten)];
    const { port, path } = running.ready;
    const crowd = await openCrowd(port, SOCKETS, () => path, greeting);
    const all = (mark: string) => crowd.seen(mark, SOCKETS).catch(saying(name));
    const measure = async (): Promise<FanoutCost> => {
      const whole = await cpuAnEvent(running, TOGETHER.one, all);
      const ten = await cpuAnEvent(running, TOGETHER.ten, all);
      return {
        one: (whole - oneAlone) / SOCKETS,
        ten: (ten - tenAlone) / SOCKETS,
        whole: whole / SOCKETS,
      };
    };
    // A server that has only just accepted its sockets is still JIT-compiling.
    await measure();
    contenders.push({ name, measure });
  }
  const { kept, notes } = await interleaved(contenders, rounds);
  for (const { running } of servers) await running.stop();
  rmSync(folder, { recursive: true, force: true });

  const of = (name: string, what: keyof FanoutCost) =>
    spreadOf(kept.map((round) => round[name]?.[what] ?? Number.NaN));
  const times = (name: string, what: keyof FanoutCost = "one") =>
    spreadOf(
      kept.map(
        (round) => (round[name]?.[what] ?? Number.NaN) / (round[CROWDTAPE.name]?.[what] ?? Number.NaN),
      ),
    );
  const bare = of(BARE_BUN.name, "one");
  const cause =
    "a frame alone is a system call for each socket, which is nearly all that is left: the runtime's own publish, with " +
    `no log, filter or replay, costs ${spreadText(bare)} µs in the same rounds. The bar supposes a machine whose kernel ` +
    "sends for less.";
  const findings = (["one", "ten"] as const).flatMap((what) => {
    const how = what === "one" ? "one at a time" : "ten together";
    const delivery = of(CROWDTAPE.name, what);
    const against = (name: string) => ({
      bar: `${how}: at least 5 × less than ${name}`,
      result: `${spreadText(times(name, what), 1)} × less`,
      met: times(name, what).median >= 5,
      cause,
    });
    return [
      {
        bar: `${how}: at most 3 µs a delivery`,
        result: `${spreadText(delivery)} µs`,
        met: delivery.median <= 3,
        cause,
      },
      against(WS),
      against(SOCKET_IO),
    ];
  });
  return {
    findings,
    tables: [
      {
        title: `Fan-out to ${figure(SOCKETS, 0)} sockets, CPU of the server`,
        columns: COLUMNS,
        rows: servers.map(({ name }) => [
          name,
          spreadText(of(name, "one")),
          spreadText(times(name), 1),
          spreadText(of(name, "whole")),
          spreadText(of(name, "ten")),
          spreadText(times(name, "ten"), 1),
        ]),
      },
    ],
    charts: [
      {
        file: "fanout",
        title: `CPU for each frame delivered, ${figure(SOCKETS, 0)} sockets`,
        unit: "µs",
        bars: servers.map(({ name }) => {
          const { median: value, low, high } = of(name, "one");
          return { label: name, value, low, high, isOurs: name === CROWDTAPE.name };
        }),
        mark: { label: "the bar: 3 µs", value: 3 },
      },
    ],
    notes,
  };
});
