// The cost of metering: the same admitted call with the ledger on SQLite and with metering off, in one process, in alternating
// rounds because machines are noisy. Prints calls per second and the time that a charge adds to a call.
//   bun bench/ledger.ts [calls at once] [rounds] [accounts]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { price } from "../contract/route.ts";
import { openDatabase } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { freshRequestId } from "../kit/ids.ts";
import { createLog } from "../kit/log.ts";
import { createAccess } from "../service/access/access.ts";
import { createMemoryRate } from "../service/access/limits/rate-memory.ts";
import { migrateStore } from "../service/store/migrations.ts";
import { makeCrowd } from "./kit/crowd.ts";

const atOnce = Number(Bun.argv[2] ?? 64);
const rounds = Number(Bun.argv[3] ?? 6);
const CALLS_A_ROUND = 20_000;
const ACCOUNTS = Number(Bun.argv[4] ?? 150);

const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
const clock = systemClock();
const database = await openDatabase({ file: join(folder, "bench.sqlite") });
await migrateStore(database, clock.now());
const open = (metering: boolean) =>
  createAccess({
    testKeys: () => true,
    database,
    clock,
    log: createLog("error", clock.now),
    rate: createMemoryRate(clock),
    links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
    metering,
  });
const metered = open(true);
const unmetered = open(false);

const headers = (await makeCrowd(database, ACCOUNTS, clock.now())).map((secret) => `Bearer ${secret}`);

const route = { id: "getLeaderboard", access: "keyless", price: price(250) } as const;
let issued = 0;

/** Per call. CPU time is the steadier of the two on a shared machine; wall time includes waiting for the disk. */
interface CallCost {
  wallUs: number;
  cpuUs: number;
}

/** One call as the server handles it: authentication, rate limit, admission, charge. */
async function call(access: typeof metered): Promise<void> {
  const caller = await access.identify(headers[issued++ % ACCOUNTS] ?? "", "127.0.0.1", route.access);
  await access.pace(caller, route.access);
  const admission = await access.admit(caller, route, 1);
  await admission.finish({ requestId: freshRequestId(), units: 1, outcome: "hit" });
  admission.release();
}

async function round(access: typeof metered, calls: number): Promise<CallCost> {
  let left = calls;
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const client = async () => {
    while (left-- > 0) {
      await call(access);
      // A server receives its next request in a later turn of the event loop, not in the same one.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { wallUs: ((performance.now() - startedAt) * 1000) / calls, cpuUs: (user + system) / calls };
}

await round(metered, CALLS_A_ROUND / 4);
await round(unmetered, CALLS_A_ROUND / 4);
const least = (a: CallCost, b: CallCost): CallCost => ({
  wallUs: Math.min(a.wallUs, b.wallUs),
  cpuUs: Math.min(a.cpuUs, b.cpuUs),
});
const worst: CallCost = { wallUs: Number.POSITIVE_INFINITY, cpuUs: Number.POSITIVE_INFINITY };
const best = { metered: worst, unmetered: worst };
for (let i = 0; i < rounds; i++) {
  best.metered = least(best.metered, await round(metered, CALLS_A_ROUND));
  best.unmetered = least(best.unmetered, await round(unmetered, CALLS_A_ROUND));
}
const line = (name: string, { wallUs, cpuUs }: CallCost) =>
  console.log(
    `${name.padEnd(18)} ${Math.round(1e6 / wallUs)
      .toLocaleString("en")
      .padStart(
        9,
      )} calls/s ${wallUs.toFixed(1).padStart(7)} µs wall ${cpuUs.toFixed(1).padStart(7)} µs CPU a call`,
  );
console.log(
  `${ACCOUNTS} accounts, ${atOnce} calls at once, ${rounds} rounds of ${CALLS_A_ROUND.toLocaleString("en")}, best round`,
);
line("metering off", best.unmetered);
line("metered on SQLite", best.metered);
const added = best.metered.cpuUs - best.unmetered.cpuUs;
console.log(`a durable charge adds ${added.toFixed(1)} µs of CPU to a call`);
const wrong = await metered.imbalances();
console.log(wrong.length === 0 ? "grants − charges = balance for every account" : JSON.stringify(wrong));

await metered.close();
await unmetered.close();
await database.close();
rmSync(folder, { recursive: true, force: true });
