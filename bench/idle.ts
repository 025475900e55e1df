// S5: the server's memory per idle socket, with ten thousand sockets and five hundred filters among them, next to sockets of a
// bare Bun server in the same run. Run: bun bench/idle.ts [--quick]
import { figure } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { BARE_BUN, CROWDTAPE, openCrowd, startSubject } from "./stream-load.ts";

const SOCKETS = 10_000;
const FILTERS = 500;
/** Long enough for the garbage from connecting to be collected, and for a heartbeat or two. */
const SETTLE_MS = 5_000;

await suite(async (): Promise<Measured> => {
  const rows: { name: string; kilobytes: number; megabytes: number }[] = [];
  for (const subject of [CROWDTAPE, BARE_BUN]) {
    const running = await startSubject(subject);
    // Code that is loaded for the first socket is not part of a socket's cost.
    const few = await openCrowd(running.ready.port, 100, () => running.ready.path);
    const before = await running.ask({ do: "usage" });
    const crowd = await openCrowd(running.ready.port, SOCKETS, (index) =>
      subject === CROWDTAPE ? `${running.ready.path}&trader=trader${index % FILTERS}` : running.ready.path,
    );
    await Bun.sleep(SETTLE_MS);
    const after = await running.ask({ do: "usage" });
    rows.push({
      name: subject.name,
      kilobytes: (after.rssBytes - before.rssBytes) / SOCKETS / 1024,
      megabytes: after.rssBytes / 1024 ** 2,
    });
    few.close();
    crowd.close();
    await running.stop();
  }
  const ours = rows[0]?.kilobytes ?? Number.NaN;
  return {
    findings: [{ bar: "at most 10 KB a socket", result: `${figure(ours)} KB`, met: ours <= 10 }],
    tables: [
      {
        title: `${figure(SOCKETS, 0)} idle sockets, resident memory`,
        columns: ["server", "KB a socket", "MB in all"],
        rows: rows.map(({ name, kilobytes, megabytes }) => [name, figure(kilobytes), figure(megabytes, 0)]),
      },
    ],
    notes: ["one run: memory is steady from run to run"],
  };
});
