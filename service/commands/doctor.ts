// `crowdtape doctor`: looks at settings, disk, store, books and upstream, and says in words what is wrong.
import { accessSync, constants, mkdirSync, statfsSync } from "node:fs";
import { type Config, readConfig } from "../config.ts";
import { createMetrics } from "../kit/metrics.ts";
import { BadSettings } from "../kit/settings.ts";
import { createKit } from "../service.ts";
import { remoteUpstream } from "../upstream/remote.ts";
import { atTheDesk } from "./operator.ts";
import { CommandRefused } from "./run.ts";

/** Below this a day of a busy log may not fit. */
const FREE_DISK_LOW_BYTES = 1_000_000_000;
const UPSTREAM_PATIENCE_MS = 5_000;

type Finding = { what: string; fault: string | null };

export async function doctor(): Promise<void> {
  const findings: Finding[] = [];
  const look = async (what: string, work: () => Promise<string | null> | string | null) => {
    const fault = await Promise.resolve()
      .then(work)
      .catch((problem) => (problem instanceof Error ? problem.message : String(problem)));
    findings.push({ what, fault });
    console.log(fault === null ? `ok     ${what}` : `wrong  ${what}: ${fault}`);
    return fault === null;
  };

  let config: Config | null = null;
  await look("settings", () => {
    try {
      config = readConfig();
      return null;
    } catch (problem) {
      return problem instanceof BadSettings ? problem.faults.join(" ") : String(problem);
    }
  });
  if (config !== null) await lookAround(config, look);
  const wrong = findings.filter((finding) => finding.fault !== null).length;
  if (wrong > 0) throw new CommandRefused(`${wrong} of ${findings.length} checks found something wrong.`);
  console.log("All is well.");
}

type Look = (what: string, work: () => Promise<string | null> | string | null) => Promise<boolean>;

async function lookAround(config: Config, look: Look): Promise<void> {
  await look(`disk (${config.dataFolder})`, () => {
    mkdirSync(config.dataFolder, { recursive: true });
    accessSync(config.dataFolder, constants.W_OK | constants.R_OK);
    const { bavail, bsize } = statfsSync(config.dataFolder);
    const free = bavail * bsize;
    return free < FREE_DISK_LOW_BYTES
      ? `only ${Math.floor(free / 1e6)} MB are free; make room for at least 1 GB`
      : null;
  });
  const engine = config.databaseUrl === null ? "SQLite" : "PostgreSQL";
  await look(`store (${engine})`, () =>
    atTheDesk(async ({ store }) => void (await store.log.head())).then(() => null),
  );
  await look("books", () =>
    atTheDesk(async ({ access }) => {
      const wrong = await access.account.imbalances();
      return wrong.length === 0
        ? null
        : `${wrong.length} accounts do not add up; the first is ${wrong[0]?.accountId}`;
    }),
  );
  await look(`upstream (${config.upstream === "embedded" ? "embedded" : "remote"})`, () =>
    lookUpstream(config),
  );
}

async function lookUpstream(config: Config): Promise<string | null> {
  // The embedded world belongs to the serving process; opening it here as well would be wrong, and it can not be away.
  if (config.upstream === "embedded") return null;
  const { clock, log, random } = createKit({ logLevel: "silent" });
  const upstream = remoteUpstream({ baseUrl: config.upstream, clock, log, random, metrics: createMetrics() });
  try {
    const outcome = await upstream.ping({ deadlineMs: UPSTREAM_PATIENCE_MS });
    if (outcome.kind === "found") return null;
    const why = outcome.kind === "failed" ? outcome.reason : "no answer in time";
    return `it does not answer as a platform does (${why}); check UPSTREAM and that the platform runs`;
  } finally {
    await upstream.close();
  }
}
