// Programs under test, each in its own process. They print one line of JSON when they are ready, answer each line of JSON on
// stdin with one on stdout, and exit when stdin ends.

export interface Child {
  pid: number;
  next<T>(): Promise<T>;
  say(message: unknown): void;
  stop(): Promise<void>;
}

/** A child that does not exit on request is killed after this. */
const STOP_WAIT_MS = 5_000;

const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export function startChild(command: readonly string[], environment: Record<string, string> = {}): Child {
  const child = Bun.spawn([...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...Bun.env, ...environment },
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  const lines = linesOf(child.stdout);
  return {
    pid: child.pid,
    async next<T>() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${command.join(" ")} ended`);
      return JSON.parse(value) as T;
    },
    say(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      child.stdin.flush();
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WAIT_MS);
      await child.exited;
      clearTimeout(timer);
    },
  };
}

/** A server that does not speak this protocol, such as nginx: ready when its port answers, ended by a signal. */
export async function startServer(
  command: readonly string[],
  port: number,
): Promise<Pick<Child, "pid" | "stop">> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  running.add(child);
  const readyBy = performance.now() + READY_WAIT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > readyBy) {
      child.kill("SIGKILL");
      throw new Error(
        `${command.join(" ")} does not answer: ${(await new Response(child.stderr).text()).slice(0, 500)}`,
      );
    }
    await Bun.sleep(READY_POLL_MS);
  }
  return {
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      running.delete(child);
    },
  };
}

const READY_WAIT_MS = 15_000;
const READY_POLL_MS = 25;

async function answers(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.terminate();
    return true;
  } catch {
    return false;
  }
}

export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
