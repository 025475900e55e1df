// A real Redis for tests, from the installed program, on a port of its own, stopped with the test process.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { programPath } from "./programs.ts";
import { freePort, type Supervised, serverAccount, supervise, temporaryFolder } from "./supervised.ts";

export interface ThrowAwayRedis {
  url: string;
  port: number;
  /** FLUSHALL: deletes everything in it. */
  wipe(): Promise<void>;
  /** kill -9; nothing was saved, so `start` brings back an empty one on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Makes it unresponsive without closing a connection, and resumes it. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
// Another process may take the port between our check and the server's bind.
const PORT_ATTEMPTS = 5;

export async function throwAwayRedis(): Promise<ThrowAwayRedis> {
  const program = programPath("redis");
  const account = serverAccount();
  const folder = temporaryFolder("redis", account);
  const output = join(folder, "server.err");
  const run = (port: number) =>
    supervise(
      [
        program,
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--save",
        "",
        "--appendonly",
        "no",
        "--logfile",
        join(folder, "server.log"),
      ],
      { folder, account, stopSignal: "TERM", output },
    );
  let port = await freePort();
  let server: Supervised;
  for (let attempt = 1; ; attempt++) {
    server = await run(port);
    if (await becameReady(server, port)) break;
    if (attempt === PORT_ATTEMPTS) throw new Error(`redis-server said: ${readFileSync(output, "utf8")}`);
    port = await freePort();
  }
  const url = `redis://127.0.0.1:${port}`;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    server.signal("SIGCONT");
    server.signal(signal);
    await server.exited;
  };
  const start = async () => {
    server = await run(port);
    if (!(await becameReady(server, port))) throw new Error("redis-server did not come back.");
  };
  return {
    url,
    port,
    async wipe() {
      const client = new RedisClient(url);
      await client.send("FLUSHALL", []);
      client.close();
    },
    kill: () => end("SIGKILL"),
    start,
    async restart() {
      await end("SIGKILL");
      await start();
    },
    freeze: () => server.signal("SIGSTOP"),
    thaw: () => server.signal("SIGCONT"),
    async stop() {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function becameReady(server: Supervised, port: number): Promise<boolean> {
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  for (let waited = 0; waited < START_TIMEOUT_MS && !ended; waited += POLL_MS) {
    const client = new RedisClient(`redis://127.0.0.1:${port}`, { autoReconnect: false });
    const answered = await client.send("PING", []).then(
      () => true,
      () => false,
    );
    client.close();
    if (answered && !ended) return true;
    await Bun.sleep(POLL_MS);
  }
  return false;
}

let shared: Promise<ThrowAwayRedis> | null = null;

/** One server for all tests of this process; each uses its own keys. It ends with the process. */
export function sharedRedis(): Promise<ThrowAwayRedis> {
  shared ??= throwAwayRedis();
  return shared;
}
