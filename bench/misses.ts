// S9: a thousand concurrent requests for the same uncached answer: the number of upstream calls, and their total time compared
// to a single request. Upstream is behind a real wire and slow, so that all of them wait. Run: bun bench/misses.ts [--quick]
import { everyUser } from "../test/http/world.ts";
import { startServedService } from "../test/support/live-service.ts";
import { figure, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const MISSES = 1_000;
/** Long enough that the last request arrives while the first still waits. */
const UPSTREAM_MS = 1_000;

/** Open sockets that have not sent anything yet. Bun's own fetch would delay most of the requests. */
function openRequests(url: string, path: string, key: string): Promise<(() => Promise<string>)[]> {
  const { hostname, port, host } = new URL(url);
  const open = async () => {
    let answered = (_status: string) => {};
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data: (_socket, data) => answered(data.toString("latin1").split("\r\n", 1)[0] ?? "") },
    });
    return async () => {
      const status = new Promise<string>((resolve) => {
        answered = resolve;
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      return status.finally(() => socket.terminate());
    };
  };
  return Promise.all(Array.from({ length: MISSES }, open));
}

await suite(async ({ rounds }): Promise<Measured> => {
  const live = await startServedService({ deadlineMs: 20_000 });
  await live.derived();
  // Balances, because capture never requests them: every counted call is one of these.
  const people = everyUser(live.platform).slice(0, rounds);
  await live.misbehave({ kind: "latency", path: "/api/users", latencyMs: UPSTREAM_MS });
  const calls: number[] = [];
  const together: number[] = [];
  for (const { userId, handle } of people) {
    const path = `/v2/users/${handle}/balances`;
    const upstreamPath = `/api/users/${userId}/balances`;
    const before = await live.asked(upstreamPath);
    const waiting = await openRequests(live.url, path, live.keys.scale.secret);
    const beganAt = performance.now();
    const statuses = await Promise.all(waiting.map((send) => send()));
    together.push(performance.now() - beganAt);
    const wrong = statuses.find((status) => !status.startsWith("HTTP/1.1 200"));
    if (wrong !== undefined) throw new Error(`answered ${wrong}`);
    calls.push((await live.asked(upstreamPath)) - before);
  }
  await live.stop();
  const most = Math.max(...calls);
  return {
    findings: [{ bar: "1 upstream call", result: `at most ${most} in ${rounds} rounds`, met: most === 1 }],
    tables: [
      {
        title: `${figure(MISSES, 0)} identical misses at once, upstream answering after ${figure(UPSTREAM_MS, 0)} ms`,
        columns: ["upstream calls", "ms until all were answered"],
        rows: [[calls.join(", "), spreadText(spreadOf(together), 0)]],
      },
    ],
  };
});
