// Impossible requests are refused with sentences that say what to do, and exit code 1; and the wrapper that npx runs forwards
// signals and exit codes.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  CROWDTAPE,
  childOf,
  crowdtape,
  crowdtapeOnNode,
  type Ended,
  inTurn,
  NPM_START,
  PROGRAM,
  run,
  start,
  startGreeted,
  temporaryData,
} from "./program.ts";

/** The platform server's output. */
const SERVED = /served on (\S+)\./;

const aFile = (): string => {
  const path = join(dirname(temporaryData()), "file");
  writeFileSync(path, "");
  return path;
};

describe("serving is refused", () => {
  test("with every wrong setting named at once, and no secret printed", async () => {
    const { code, err, out } = await run(NPM_START, {
      PORT: "http",
      ROLE: "boss",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://root:hunter2@db/x",
      SIMULATOR_EVENTS_PER_SECOND: "-1",
    });
    expect(code).toBe(1);
    for (const name of ["PORT", "ROLE", "LOG_LEVEL", "DATABASE_URL", "SIMULATOR_EVENTS_PER_SECOND"])
      expect(err).toContain(`- ${name} must be `);
    expect(out + err).not.toContain("hunter2");
  });

  test("to a node of another role on an in-process simulator, which says what to run", async () => {
    const { code, err } = await crowdtape("serve", {
      ROLE: "api",
      DATABASE_URL: "postgres://127.0.0.1:1/x",
      DATA_DIR: temporaryData(),
    });
    expect(code).toBe(1);
    expect(err).toContain("ROLE must be all while UPSTREAM is simulator");
    expect(err).toContain("crowdtape simulator serve");
  });

  test("to a second process in the same folder, and on the same port", async () => {
    const settings = { DATA_DIR: temporaryData() };
    const first = await startGreeted(settings);
    const sameFolder = await run(NPM_START, settings);
    expect(sameFolder).toMatchObject({ code: 1, out: "" });
    expect(sameFolder.err).toStartWith("Another process runs the simulated world of this data folder.");

    const { port } = new URL(first.url);
    const samePort = await run(NPM_START, { DATA_DIR: temporaryData(), PORT: port });
    expect(samePort).toMatchObject({ code: 1, out: "" });
    expect(samePort.err).toStartWith(`Port ${port} is already in use.`);
    const sameMetrics = await run(NPM_START, { DATA_DIR: temporaryData(), PORT: "0", METRICS_PORT: port });
    expect(sameMetrics).toMatchObject({ code: 1, out: "" });
    expect(sameMetrics.err).toStartWith(`Port ${port} is already in use.`);
    expect(sameMetrics.err).toContain("METRICS_PORT=");
    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.end();
  });

  test("in a folder that is a file, and on an address that this machine does not have", async () => {
    const file = aFile();
    const inFile = await run(NPM_START, { DATA_DIR: file });
    expect(inFile.code).toBe(1);
    expect(inFile.err).toStartWith(`${file} can't be used: there is a file of that name`);
    // 192.0.2.0/24 is reserved for examples.
    const elsewhere = await run(NPM_START, { DATA_DIR: temporaryData(), HOST: "192.0.2.1" });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.err).toStartWith("192.0.2.1 is not an address of this machine");
  });

  test("with another seed than that of its folder's world", async () => {
    const settings = { DATA_DIR: temporaryData(), SIMULATOR_SEED: "one" };
    const platform = start([...PROGRAM, "simulator", "serve"], settings);
    await platform.said(SERVED);
    await platform.end();
    const other = { ...settings, SIMULATOR_SEED: "two" };
    const { code, err } = await run(NPM_START, other);
    expect(code).toBe(1);
    expect(err).toContain("Start with the same settings, or move that folder away to begin a new world.");
    expect(err).not.toContain("    at ");
    const doctor = await crowdtape("doctor", other);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain("wrong  upstream (simulator): ");
  });
});

describe("a command is refused", () => {
  const cases: [line: string, sentence: string][] = [
    ["bogus", 'There is no command "bogus".'],
    ["serve --port 9000", "Unknown option '--port'"],
    ["migrate now", "Use it as: crowdtape migrate\nSettings are read from the environment"],
    ["simulator", "Use one of:\n  crowdtape simulator serve"],
    ["simulator serve --port 9000", "Unknown option '--port'"],
    ["key", "Use one of:\n  crowdtape key create"],
    ["key create --plan gold --email a@b.example", "--plan must be one of free, starter, growth, scale"],
    ["key create --plan free", "--email must be an e-mail address"],
    ["key create --plan free --email unknown", "--email must be an e-mail address"],
    ["key create --plan free --email a@b.example --prepaid -5", "--prepaid must be a whole number"],
    ["key create --plan free --email a@b.example --prepaid 1.5", "--prepaid must be a whole number"],
    ["key create --plan free --email a@b.example --created-days-ago soon", "--created-days-ago must be"],
    ["key create --plan free --email a@b.example --requests-per-minute 0", "--requests-per-minute must be"],
    ["key create --plan free --email a@b.example --colour red", "Unknown option '--colour'"],
    ["key create free", "Use it as: crowdtape key create"],
    ["key list everything", "Use it as: crowdtape key list"],
    ["key revoke", "Use it as: crowdtape key revoke KEY_ID"],
    ["key revoke one two", "Use it as: crowdtape key revoke KEY_ID"],
    ["key revoke key_unknown", "There is no such key."],
    ["pay test", "Use it as: crowdtape pay test PAYMENT_ID"],
    ["pay test pay_unknown", "There is no such payment."],
    ["pay test pay_unknown --coins 3", "Unknown option '--coins'"],
    ["store copy --from here", "--from must be sqlite:FOLDER or postgres://…"],
    ["tail --server 127.0.0.1:8080", "The server must be an address"],
  ];
  let refused: Ended[];
  beforeAll(async () => {
    refused = await inTurn(
      cases.map(([line]) => line),
      { DATA_DIR: temporaryData() },
    );
  });
  for (const [index, [line, sentence]] of cases.entries()) {
    test(`crowdtape ${line}`, () => {
      const { code, out, err } = refused[index] as Ended;
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toStartWith(sentence);
      expect(err).not.toContain("    at ");
    });
  }

  test("by a missing database, without its password", async () => {
    const { code, err } = await crowdtape("key list", { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" });
    expect(code).toBe(1);
    expect(err).toContain("Check that DATABASE_URL points to a running PostgreSQL.");
    expect(err).not.toContain("hunter2");
  });
});

describe("crowdtape on plain Node", () => {
  test("without a command, or for help, lists every command", async () => {
    const asked = await crowdtapeOnNode("help", {});
    expect(asked.code).toBe(0);
    for (const verb of [
      "serve",
      "simulator serve",
      "key create",
      "key list",
      "key revoke",
      "pay test",
      "tail",
    ])
      expect(asked.out).toContain(`crowdtape ${verb}`);
    for (const line of ["", "--help"]) expect(await crowdtapeOnNode(line, {})).toEqual(asked);
  });

  test("exits with the code of a refusal, and prints the program's output", async () => {
    const { code, out, err } = await crowdtapeOnNode("bogus", {});
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toStartWith('There is no command "bogus".');
  });

  test("forwards SIGTERM and SIGINT and keeps the exit code", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const platform = start([...CROWDTAPE, "simulator", "serve"], { DATA_DIR: temporaryData() });
      const url = await platform.said(SERVED);
      expect((await fetch(`${url}/api/status`)).status).toBe(200);
      expect(await platform.end(signal)).toEqual({ code: 0, signal: null });
      expect(await fetch(`${url}/api/status`).catch(() => "gone")).toBe("gone");
    }
  });

  test("stops cleanly when Ctrl-C reaches both it and the program", async () => {
    const service = await startGreeted({ DATA_DIR: temporaryData() }, [...CROWDTAPE, "serve"]);
    process.kill(await childOf(service.pid), "SIGINT");
    expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });
  });

  test("ends by the signal that ended the program", async () => {
    const platform = start([...CROWDTAPE, "simulator", "serve"], { DATA_DIR: temporaryData() });
    await platform.said(SERVED);
    process.kill(await childOf(platform.pid), "SIGKILL");
    expect(await platform.ended).toEqual({ code: null, signal: "SIGKILL" });
  });
});
