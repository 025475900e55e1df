// `crowdtape backup --to FILE|s3://… [--every 1h]`: all of the service's data as of one moment, taken while it runs. A
// backup appears under its name only when complete, is readable only by its owner, and never replaces another one.
import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refused } from "../../../client/cli/refused.ts";
import { wholeNumber } from "../../../client/cli/verb.ts";
import { runLoop } from "../../../kit/loop.ts";
import { isS3 } from "../../../kit/s3.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { type Config, readConfig } from "../../config.ts";
import { createKit } from "../../foundation.ts";
import { explain } from "../run.ts";
import { untilSignal } from "../signals.ts";
import { writeArchive } from "./archive.ts";
import { placeFor } from "./places.ts";
import { olderThanNewest, stampedName } from "./schedule.ts";
import { stageStore } from "./stage.ts";

const UNITS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const EVERY_MS_MIN = 10 * SECOND_MS;
const EVERY_MS_MAX = 24 * DAY_MS;
const KEEP_MAX = 10_000;

export interface BackupOptions {
  to?: string;
  every?: string;
  keep?: string;
}

export async function backup(options: BackupOptions): Promise<void> {
  const { to } = options;
  if (!to) throw new Refused("Say where the backup goes: --to FILE or --to s3://BUCKET/NAME.");
  const config = readConfig();
  const everyMs = intervalOf(options.every);
  const keep = wholeNumber("--keep", options.keep, 1, KEEP_MAX);
  if (keep !== undefined && (everyMs === undefined || isS3(to)))
    throw new Refused(
      "--keep goes with --every and a file; let the bucket's own lifecycle rules remove old objects.",
    );
  if (everyMs === undefined) return makeOne(config, to);
  await makeMany(config, { to, everyMs, keep });
}

async function makeOne(config: Config, to: string): Promise<void> {
  const { clock } = createKit({ logLevel: "warn" });
  const place = await placeFor(to);
  const staged = await stageStore(config, isS3(to) ? config.dataFolder : dirname(to));
  try {
    await place.write((out) => writeArchive(staged, out, clock.now()));
  } finally {
    rmSync(staged.folder, { recursive: true, force: true });
  }
  const megabytes = ((await place.bytes()) / 1e6).toFixed(1);
  console.log(
    `Wrote ${to}, ${megabytes} MB. It holds keys' hashes, mail addresses and payments: keep it safe.`,
  );
}

/** Runs until a signal. The first backup must succeed: a failure then is caused by the settings. */
async function makeMany(
  config: Config,
  { to, everyMs, keep }: { to: string; everyMs: number; keep: number | undefined },
): Promise<void> {
  const { clock, log } = createKit({ logLevel: "warn" });
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort());
  let made = 0;
  await runLoop(
    {
      failure: (error) => console.error(`No backup was made: ${explain(error)}`),
      isFatal: () => made === 0,
      everyMs,
      clock,
      log,
      async round() {
        await makeOne(config, stampedName(to, clock.now()));
        made += 1;
        if (keep === undefined) return;
        for (const name of olderThanNewest(dirname(to), basename(to), keep))
          rmSync(join(dirname(to), name), { force: true });
      },
    },
    stopping.signal,
  );
}

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const everyMs = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (!(everyMs >= EVERY_MS_MIN && everyMs <= EVERY_MS_MAX))
    throw new Refused("--every must be from 10s to 24d, such as 30m or 1h.");
  return everyMs;
}
