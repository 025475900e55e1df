// A real streaming replica of a temporary PostgreSQL, run from the installed programs in a folder and on a port of its own,
// removed with the test process.
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SQL } from "bun";
import { becameReady, CONNECTIONS_MAX, type ThrowAwayPostgres } from "./postgres.ts";
import { programPath } from "./programs.ts";
import { asAccount, freePort, serverAccount, supervise, temporaryFolder } from "./supervised.ts";

export interface ThrowAwayReplica {
  port: number;
  /** The replica of the database in this primary's URL. */
  urlOf(primaryUrl: string): string;
  /** Pauses the replay of the primary's commits; the replica keeps answering. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function throwAwayReplica(primary: ThrowAwayPostgres): Promise<ThrowAwayReplica> {
  const postgres = programPath("postgres");
  const backup = join(dirname(postgres), "pg_basebackup");
  const account = serverAccount();
  const folder = temporaryFolder("replica", account);
  const data = join(folder, "data");
  const output = join(folder, "server.log");
  const made = Bun.spawnSync(
    asAccount(account, [
      backup,
      "-h",
      "127.0.0.1",
      "-p",
      String(primary.port),
      "-U",
      "crowdtape",
      "-D",
      data,
      "--write-recovery-conf",
      "--checkpoint=fast",
      // Without a slot, the primary's next checkpoint may remove log that the replica has not received yet.
      "--create-slot",
      `--slot=${basename(folder).replaceAll("-", "_").toLowerCase()}`,
      "--wal-method=stream",
      "--no-sync",
    ]),
    { cwd: folder, stdout: "pipe", stderr: "pipe", env: { ...Bun.env, LC_ALL: "C" } },
  );
  if (made.exitCode !== 0) throw new Error(`pg_basebackup failed: ${made.stderr.toString()}`);
  const port = await freePort();
  const server = await supervise(
    [
      postgres,
      "-D",
      data,
      "-p",
      String(port),
      "--listen_addresses=127.0.0.1",
      // A replica must allow at least as many connections as its primary.
      `--unix_socket_directories=${folder}`,
      `--max_connections=${CONNECTIONS_MAX}`,
      "--fsync=off",
    ],
    { folder, account, stopSignal: "QUIT", output },
  );
  const urlOf = (primaryUrl: string) => {
    const url = new URL(primaryUrl);
    url.port = String(port);
    return url.href;
  };
  if (!(await becameReady(server, urlOf(primary.url))))
    throw new Error(`the replica said: ${readFileSync(output, "utf8")}`);
  const say = async (statement: string) => {
    const admin = new SQL(urlOf(primary.url), { max: 1 });
    await admin.unsafe(statement);
    await admin.close();
  };
  const end = async (signal: "SIGINT" | "SIGKILL") => {
    server.signal(signal);
    await server.exited;
  };
  return {
    port,
    urlOf,
    pause: () => say("SELECT pg_wal_replay_pause()"),
    resume: () => say("SELECT pg_wal_replay_resume()"),
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
