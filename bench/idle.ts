// S5: memory of the server for each idle socket, with ten thousand of them, each with a filter of its own kind,
// beside sockets of a bare Bun server in the same run.
// Run: bun bench/idle.ts
import { CROWDTAPE, FANOUT_PEERS, openCrowd, printTable, rounded, startSubject } from "./stream-load.ts";

const SOCKETS = 10_000;
const FILTERS = 500;
/** Long enough for the garbage of connecting to be collected, and for a heartbeat or two. */
const SETTLE_MS = 5_000;

const rows: Record<string, string | number>[] = [];
for (const subject of [CROWDTAPE, ...FANOUT_PEERS.slice(0, 1)]) {
  const running = await startSubject(subject);
  const filtered = subject === CROWDTAPE;
  // Code that runs for the first socket is not the price of a socket.
  const few = await openCrowd(running.ready.port, 100, () => running.ready.path);
  const before = await running.ask({ do: "usage" });
  const crowd = await openCrowd(running.ready.port, SOCKETS, (index) =>
    filtered ? `${running.ready.path}&trader=trader${index % FILTERS}` : running.ready.path,
  );
  await Bun.sleep(SETTLE_MS);
  const after = await running.ask({ do: "usage" });
  rows.push({
    server: subject.name,
    "KB a socket": rounded((after.rssBytes - before.rssBytes) / SOCKETS / 1024),
    "resident MB": rounded(after.rssBytes / 1024 ** 2, 0),
  });
  few.close();
  crowd.close();
  await running.stop();
}
printTable(`${SOCKETS} idle sockets (the bar: at most 10 KB each)`, rows);
process.exit(0);
