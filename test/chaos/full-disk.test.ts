// A disk that runs full under load, on a small file system of its own: refusals that say so and cost nothing, nothing
// corrupted, no crash, and automatic recovery once there is room.
import { afterAll, expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "../../database/sql.ts";
import { allCharges } from "../support/charges.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/supervised.ts";
import { type Deployment, deploy } from "./deployment.ts";
import type { Shape } from "./schedule.ts";
import { checkLog } from "./verify.ts";

const PATIENCE_MS = 900_000;
/** Room for the world, its log and SQLite's own files, with a little to spare. */
const DISK_MEGABYTES = 256;

/** A small file system in memory, or the reason why this machine does not allow one. */
function smallDisk(): { folder: string; unmount(): void } | string {
  if (!Bun.which("mount")) return "there is no mount command here";
  const folder = temporaryFolder("disk", null);
  const options = `size=${DISK_MEGABYTES}m`;
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], { stderr: "pipe" });
  if (!mounted.success) {
    rmSync(folder, { recursive: true, force: true });
    return `a small file system can't be mounted here: ${mounted.stderr}`.trim();
  }
  return {
    folder,
    unmount() {
      Bun.spawnSync(["umount", "-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const disk = smallDisk();
if (typeof disk === "string") console.warn(`The full-disk tests are skipped: ${disk}`);
const onSmallDisk = test.skipIf(typeof disk === "string");
const root = typeof disk === "string" ? "" : disk.folder;

const running: Deployment[] = [];
afterAll(async () => {
  await Promise.all(running.map((deployment) => deployment.stop()));
  if (typeof disk !== "string") disk.unmount();
}, PATIENCE_MS);

/** On the small disk, alone. */
async function deployed(shape: Shape): Promise<Deployment> {
  await Promise.all(running.splice(0).map((deployment) => deployment.stop()));
  const folder = join(root, "data");
  mkdirSync(folder);
  const deployment = await deploy({ shape, seed: `disk-${shape}`, folder });
  running.push(deployment);
  return deployment;
}

const READY_KEYS = new Bun.Glob("**/ready-keys.json");
const ballast = () => join(root, "ballast");

/** Writes until nothing more fits. */
function fillUp(): void {
  const file = openSync(ballast(), "a");
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    const block = Buffer.alloc(size);
    try {
      for (;;) if (writeSync(file, block) < size) break;
    } catch {
      // Full for blocks of this size; smaller ones may still fit.
    }
  }
  closeSync(file);
  expect(statfsSync(root).bavail).toBe(0);
}

onSmallDisk.each(["remote", "simulator"] as const)(
  "a disk that runs full costs answers but no credit, no event and no crash, and room brings everything back: %s world",
  async (shape) => {
    const deployment = await deployed(shape);
    const [node] = deployment.nodes;
    const books = await deployment.books();
    const { grants, keys } = books.access;
    const { id: accountId } = await grants.openAccount("disk@example.com");
    await grants.payForPlan({ accountId, plan: "scale", reference: `disk:${accountId}` });
    const { secret } = await keys.create({ accountId, name: null, requestsPerMinute: 1_000_000 });
    const reported: { status: number; cost: number; requestId: string; message: string }[] = [];
    const ask = async () => {
      const answer = await fetch(`${String(node?.url)}/v2/search?q=a&limit=1`, {
        keepalive: false,
        headers: { authorization: `Bearer ${secret}` },
      }).catch((error: unknown) => {
        throw new Error(`no answer; the node's last words: ${node?.output().slice(-2_000)}`, {
          cause: error,
        });
      });
      const { message = "" } = (await answer.json()) as { message?: string };
      const requestId = String(answer.headers.get("x-request-id"));
      reported.push({
        status: answer.status,
        cost: Number(answer.headers.get("x-credits-cost")),
        requestId,
        message,
      });
      return answer.status;
    };
    await eventually(async () => (await ask()) === 200, "it answers");
    // A start that is interrupted by the full disk exits with the reason: the ready keys of a simulated world are its last
    // step.
    const isStarted = () => shape !== "simulator" || [...READY_KEYS.scanSync(root)].length > 0;
    await eventually(isStarted, "its start is over");
    const headBefore = await books.store.log.head();

    fillUp();
    // Free space inside SQLite's files is used up first.
    await eventually(async () => {
      fillUp();
      return (await ask()) === 503;
    }, "the full disk is felt");
    // SQLite may find free space inside its files for some of these.
    await Promise.all(Array.from({ length: 20 }, ask));
    const refused = reported.filter(({ status }) => status === 503);
    expect(new Set(refused.map(({ cost }) => cost))).toEqual(new Set([0]));
    const isWell = async () => {
      const health = await fetch(`${String(node?.url)}/health`);
      expect(health.status).toBe(200);
      const readiness = await fetch(`${String(node?.url)}/readyz`);
      return { ok: ((await health.json()) as { ok: boolean }).ok, ready: readiness.status === 200 };
    };
    await eventually(async () => {
      fillUp();
      return Bun.deepEquals(await isWell(), { ok: false, ready: false });
    }, "health and readiness report the full disk");

    rmSync(ballast());
    await eventually(async () => (await ask()) === 200, "it answers again once there is room");
    await eventually(
      async () => Bun.deepEquals(await isWell(), { ok: true, ready: true }),
      "it is well again",
    );
    await eventually(
      async () => (await books.store.log.head()).seq > headBefore.seq + 20,
      "capture continues",
    );
    await eventually(async () => (await books.store.log.historyLeft()).length === 0, "the past is read");

    expect(node?.crashes).toEqual([]);
    expect([...new Set(reported.map(({ status }) => status))].sort()).toEqual([200, 503]);
    const paid = reported.filter(({ status }) => status === 200).map(({ requestId }) => requestId);
    const { read } = books.store.database;
    const charged = async () => (await allCharges(read, accountId)).map(({ requestId }) => requestId).sort();
    // A stored charge of a 503 is reversed, possibly a little later.
    await eventually(
      async () => Bun.deepEquals(await charged(), paid.toSorted()),
      "each answer has its charge and nothing else has one",
    );
    expect(await books.access.imbalances()).toEqual([]);
    expect(await read.all<Record<string, string>>(sql`PRAGMA integrity_check`)).toEqual([
      { integrity_check: "ok" },
    ]);
    expect(await deployment.stopNodes()).toEqual([0]);
    expect(await checkLog(books.store, await deployment.record())).toEqual([]);
    await books.close();
    // The operator is notified of the reason.
    expect(node?.output()).toMatch(/disk|full/);
  },
  PATIENCE_MS,
);
