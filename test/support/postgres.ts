// A real PostgreSQL for tests, from the installed program, in a folder and on a port of its own, removed with the test
// process. `npm test` starts one for all files (TEST_POSTGRES_PORT); a file that runs alone starts its own.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { programPath } from "./programs.ts";
import {
  asAccount,
  freePort,
  type Supervised,
  serverAccount,
  supervise,
  temporaryFolder,
} from "./supervised.ts";

/** A shared server: a test may only touch its own databases. */
export interface SharedPostgres {
  port: number;
  /** An empty one, or a copy of another that has no connections. */
  createDatabase(like?: string): Promise<string>;
}

export interface ThrowAwayPostgres extends SharedPostgres {
  /** The server's maintenance database; use `createDatabase()` for a test's own. */
  url: string;
  stop(): Promise<void>;
  /** Stops it (`fast` ends sessions, `immediate` does not even clean up), waits if requested, and starts it again. */
  restart(mode: "fast" | "immediate", awayMs?: number): Promise<void>;
  /** Commits are stored but not confirmed, until it is restarted. */
  holdConfirmations(): Promise<void>;
  /** kill -9; `start` brings it back on the same data and port. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

// Even a slow machine that runs many tests starts one in this time; beyond it something is wrong.
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const STILL_ENDING = "pre-existing shared memory block";
// Another process may take the port between our check and the server's bind.
const PORT_ATTEMPTS = 5;

/** Of a template with a session; the server itself has waited five seconds for its end. */
const STILL_IN_USE = "55006";
const COPY_ATTEMPTS = 24;

/** Several files use the run's server at once. */
export const CONNECTIONS_MAX = 400;

export async function throwAwayPostgres(options: { fsync?: boolean } = {}): Promise<ThrowAwayPostgres> {
  const postgres = programPath("postgres");
  const account = serverAccount();
  const folder = temporaryFolder("postgres", account);
  const data = join(folder, "data");
  const output = join(folder, "server.log");
  const made = Bun.spawnSync(
    asAccount(account, [
      join(dirname(postgres), "initdb"),
      "-D",
      data,
      "-U",
      "crowdtape",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ]),
    { cwd: folder, stdout: "pipe", stderr: "pipe", env: { ...Bun.env, LC_ALL: "C" } },
  );
  if (made.exitCode !== 0)
    throw new Error(`initdb failed: ${made.stderr.toString()}${made.stdout.toString()}`);

  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    max_connections: CONNECTIONS_MAX,
    // Tests kill servers but do not cut the power: written data is safe in the system's memory.
    fsync: options.fsync ? "on" : "off",
    full_page_writes: options.fsync ? "on" : "off",
    // Each test has its own database, and the vacuum would visit hundreds of them every few seconds.
    autovacuum: options.fsync ? "on" : "off",
    autovacuum_naptime: "5s",
    checkpoint_timeout: options.fsync ? "5min" : "1h",
    logging_collector: "off",
  };
  const run = (port: number) =>
    supervise(
      [postgres, "-D", data, "-p", String(port), ...Object.entries(settings).map(([k, v]) => `--${k}=${v}`)],
      { folder, account, stopSignal: "QUIT", output },
    );

  let port = await freePort();
  let server: Supervised;
  for (let attempt = 1; ; attempt++) {
    server = await run(port);
    if (await becameReady(server, urlOf(port, "postgres"))) break;
    const said = readFileSync(output, "utf8");
    if (attempt === PORT_ATTEMPTS || !said.includes("could not bind"))
      throw new Error(`postgres said: ${said}`);
    port = await freePort();
  }
  const untilRestart = join(data, "postgresql.auto.conf");
  const startAgain = async () => {
    writeFileSync(untilRestart, "");
    for (let waited = 0; ; waited += POLL_MS) {
      server = await run(port);
      if (await becameReady(server, urlOf(port, "postgres"))) return;
      const said = readFileSync(output, "utf8");
      // On a busy machine the processes of a killed server outlive it for a while, and no other may start before they have
      // exited.
      if (!said.includes(STILL_ENDING) || waited >= START_TIMEOUT_MS)
        throw new Error(`postgres did not come back: ${said}`);
      await Bun.sleep(POLL_MS);
    }
  };
  const end = async (signal: "SIGINT" | "SIGQUIT" | "SIGKILL") => {
    server.signal(signal);
    await server.exited;
  };
  return {
    url: urlOf(port, "postgres"),
    ...databasesOn(port),
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
    async restart(mode, awayMs = 0) {
      await end(mode === "fast" ? "SIGINT" : "SIGQUIT");
      if (awayMs > 0) await Bun.sleep(awayMs);
      await startAgain();
    },
    async holdConfirmations() {
      // Each commit now waits for a copy on a server that does not exist.
      writeFileSync(untilRestart, "synchronous_standby_names = 'absent'\n");
      const admin = new SQL(urlOf(port, "postgres"), { max: 1 });
      await admin.unsafe("SELECT pg_reload_conf()");
      await admin.close();
    },
    kill: () => end("SIGKILL"),
    start: startAgain,
  };
}

function urlOf(port: number, database: string): string {
  return `postgres://crowdtape@127.0.0.1:${port}/${database}`;
}

export async function becameReady(server: Supervised, url: string): Promise<boolean> {
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  for (let waited = 0; waited < START_TIMEOUT_MS && !ended; waited += POLL_MS) {
    const probe = new SQL(url, { max: 1, connectionTimeout: 2 });
    const answered = await probe.unsafe("SELECT 1").then(
      () => true,
      () => false,
    );
    await probe.close();
    if (answered) return true;
    await Bun.sleep(POLL_MS);
  }
  return false;
}

function databasesOn(port: number): SharedPostgres {
  let databases = 0;
  return {
    port,
    async createDatabase(like) {
      databases += 1;
      const name = `test_${process.pid}_${databases}`;
      const admin = new SQL(urlOf(port, "postgres"), { max: 1 });
      const template = like === undefined ? "" : `TEMPLATE ${new URL(like).pathname.slice(1)}`;
      for (let attempt = 1; ; attempt++) {
        try {
          await admin.unsafe(`CREATE DATABASE ${name} ${template}`);
          break;
        } catch (error) {
          // On a busy machine a session outlives its connection.
          const isInUse = (error as { errno?: unknown }).errno === STILL_IN_USE;
          if (!isInUse || attempt === COPY_ATTEMPTS) throw error;
        }
      }
      await admin.close();
      return urlOf(port, name);
    },
  };
}

let shared: Promise<SharedPostgres> | null = null;

/** The run's server, or one for all tests of this process, because creating one is slow. */
export function sharedPostgres(): Promise<SharedPostgres> {
  const port = Number(Bun.env.TEST_POSTGRES_PORT ?? 0);
  shared ??= port > 0 ? Promise.resolve(databasesOn(port)) : throwAwayPostgres();
  return shared;
}
