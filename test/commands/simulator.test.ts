// The simulator as a separate server with a service that follows it, the schema command, and the doctor's findings.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/supervised.ts";
import {
  ask,
  CROWDTAPE,
  crowdtape,
  NPM_START,
  type Running,
  start,
  startGreeted,
  temporaryData,
} from "./program.ts";

let platform: Running;
let upstream: string;

beforeAll(async () => {
  platform = start([...CROWDTAPE, "simulator", "serve"], { DATA_DIR: temporaryData() });
  upstream = await platform.said(/The simulator is served on (http:\S+)\./);
});

describe("simulator serve", () => {
  test("says how to follow it, on its own port", async () => {
    const port = Number(new URL(upstream).port);
    expect(await platform.said(/Follow it with: (.+)\n/)).toBe(
      `UPSTREAM=${upstream} PORT=${port + 1} npm start`,
    );
  });

  test("is followed by a service in another process, with the same figures", async () => {
    const settings = { DATA_DIR: temporaryData(), UPSTREAM: upstream };
    const service = start(NPM_START, settings);
    const url = await service.said(/Crowdtape listens on (http:\S+)/);
    // Ready keys exist only by default; here the operator creates them.
    expect(service.out()).not.toContain("ct_");
    const made = await crowdtape("key create --plan scale --email a@b.example --json", settings);
    const { key } = JSON.parse(made.out) as { key: string };

    const board = (await ask(`${url}/v2/leaderboard/24h?limit=1`)).body as { traders: { handle: string }[] };
    const handle = board.traders[0]?.handle;
    expect(handle).toBeString();
    const trader = await ask(`${url}/v2/users/${handle}`, key);
    expect(trader).toMatchObject({ status: 200, body: { handle } });
    await eventually(async () => {
      const { body } = await ask(`${url}/v2/alerts?limit=1`, key);
      return (body as { count: number }).count === 1;
    }, "alerts are captured over the wire");
    expect(await service.end()).toEqual({ code: 0, signal: null });
  });

  test("stops cleanly on request, and its world continues where it was", async () => {
    const settings = { DATA_DIR: temporaryData() };
    const first = start([...CROWDTAPE, "simulator", "serve"], settings);
    await first.said(/served on (\S+)\./);
    expect(await first.end()).toEqual({ code: 0, signal: null });
    const again = start([...CROWDTAPE, "simulator", "serve"], { ...settings, LOG_LEVEL: "info" });
    await again.said(/served on (\S+)\./);
    expect(again.err()).toContain('"message":"simulated world opened","found":true');
    await again.end();
  });

  test("refuses a port that is taken", async () => {
    const { port } = new URL(upstream);
    const { code, err } = await crowdtape("simulator serve", { DATA_DIR: temporaryData(), PORT: port });
    expect(code).toBe(1);
    expect(err).toStartWith(`Port ${port} is already in use.`);
  });
});

test("migrate says what it did, and a second run does nothing", async () => {
  const settings = { DATA_DIR: temporaryData() };
  const first = await crowdtape("migrate", settings);
  expect(first.code).toBe(0);
  expect(first.out).toStartWith("Applied: 001-");
  expect(await crowdtape("migrate", settings)).toEqual({
    code: 0,
    out: "The schema is up to date.\n",
    err: "",
  });
});

describe("doctor", () => {
  test("finds all well before the first start and next to a running server", async () => {
    const settings = { DATA_DIR: temporaryData() };
    const well = [
      "settings",
      `disk (${settings.DATA_DIR})`,
      "store (SQLite)",
      "books",
      "upstream (simulator)",
    ];
    const healthy = {
      code: 0,
      out: `${well.map((what) => `ok     ${what}\n`).join("")}All is well.\n`,
      err: "",
    };
    expect(await crowdtape("doctor", settings)).toEqual(healthy);
    const service = await startGreeted(settings);
    expect(await crowdtape("doctor", settings)).toEqual(healthy);
    await service.end();
  });

  test("asks a remote platform", async () => {
    const { code, out } = await crowdtape("doctor", { DATA_DIR: temporaryData(), UPSTREAM: upstream });
    expect(code).toBe(0);
    expect(out).toContain("ok     upstream (remote)\n");
  });

  test("reports wrong settings and checks nothing else", async () => {
    const { code, out, err } = await crowdtape("doctor", { PORT: "x", LOG_LEVEL: "loud" });
    expect(code).toBe(1);
    expect(out).toMatch(/^wrong {2}settings: PORT must be .* LOG_LEVEL must be [^\n]*\n$/);
    expect(err).toBe("1 of 1 checks found something wrong.\n");
  });

  test("reports a platform and a Redis that do not answer", async () => {
    const closedPort = await freePort();
    const settings = {
      DATA_DIR: temporaryData(),
      UPSTREAM: `http://127.0.0.1:${closedPort}`,
      REDIS_URL: `redis://:hunter2@127.0.0.1:${closedPort}`,
    };
    const { code, out, err } = await crowdtape("doctor", settings);
    expect(code).toBe(1);
    expect(out).toContain("wrong  upstream (remote): it does not answer as a platform does");
    expect(out).toContain("wrong  bus (Redis): it does not answer; check REDIS_URL");
    expect(out + err).not.toContain("hunter2");
  });

  test("reports an unusable folder, once", async () => {
    const file = temporaryData();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    const { code, out, err } = await crowdtape("doctor", { DATA_DIR: file });
    expect(code).toBe(1);
    expect(out).toContain(`wrong  disk (${file}): ${file} can't be used: there is a file of that name`);
    expect(err).toBe("1 of 2 checks found something wrong.\n");
  });

  test("reports a file that is not a database", async () => {
    const folder = temporaryData();
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/crowdtape.sqlite`, "this is no database, and never was one. ".repeat(200));
    const { code, out } = await crowdtape("doctor", { DATA_DIR: folder });
    expect(code).toBe(1);
    expect(out).toContain("wrong  store (SQLite): ");
    expect(out).not.toContain("    at ");
  });
});
