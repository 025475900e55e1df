// A server process that never outlives the test that starts it: a small shell holds the other end of a pipe, and when the test
// process ends, in whatever way, the pipe closes, the server is stopped and its folder removed.
import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Supervised {
  /** The server's own process id. */
  pid: number;
  exited: Promise<number>;
  signal(name: "SIGINT" | "SIGTERM" | "SIGQUIT" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
}

// Runs "$@" until it exits or standard input ends; then stops it, and removes the folder if input ended. A signal to the whole
// group, as sent by Ctrl-C, must not kill the shell that cleans up.
const KEEPER = `
trap '' INT TERM HUP
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
echo "$server"
( cat <&3 >/dev/null
  : > "$FOLDER/.ending"
  kill -s "$STOP_SIGNAL" "$server" 2>/dev/null
  while kill -0 "$server" 2>/dev/null; do sleep 0.05; done
  rm -rf "$FOLDER" ) >/dev/null 2>&1 &
watcher=$!
wait "$server"
code=$?
if [ -e "$FOLDER/.ending" ]; then wait "$watcher"; else kill -s KILL "$watcher" 2>/dev/null; fi
exit "$code"
`;

/** Servers that refuse to run as root run as one of these, whichever exists on the machine. */
const UNPRIVILEGED_USERS = ["postgres", "redis", "nobody"] as const;

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** The account that servers run as: our own, or an unprivileged one if we are root. */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of UNPRIVILEGED_USERS) {
    const uid = spawnSync("id", ["-u", name], { encoding: "utf8" });
    const gid = spawnSync("id", ["-g", name], { encoding: "utf8" });
    if (uid.status === 0 && gid.status === 0)
      return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    `Running as root, but no account of ${UNPRIVILEGED_USERS.join(", ")} exists to run a server as.`,
  );
}

/** The command that runs the given one as that account. */
export function asAccount(account: Account | null, command: string[]): string[] {
  if (!account) return command;
  if (Bun.which("setpriv")) {
    return ["setpriv", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups", ...command];
  }
  if (Bun.which("runuser")) return ["runuser", "-u", account.name, "--", ...command];
  throw new Error("Running as root needs setpriv or runuser (Debian package util-linux) to start a server.");
}

export function temporaryFolder(name: string, account: Account | null): string {
  const folder = mkdtempSync(join(tmpdir(), `crowdtape-${name}-`));
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/**
 * Below the ephemeral ranges of operating systems (Linux from 32768, others from 49152): between the choice of a port and its
 * use, and while its server is down for a moment, no connection and no other server gets it by chance.
 */
const PORTS = { first: 12_000, count: 20_000 };
/** Prime, so that processes with neighbouring ids start far from each other. */
const PORTS_APART = 7_919;
let portsTried = process.pid * PORTS_APART;

/** A free port that no test process of this run has been given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS.count; tries++) {
    const port = PORTS.first + (portsTried++ % PORTS.count);
    if (isUnclaimed(port) && (await isFree(port))) return port;
  }
  throw new Error("Every port for tests is taken.");
}

/** Processes of one run start far from each other and may still collide. The run's folder records which ports each has taken. */
function isUnclaimed(port: number): boolean {
  const claims = process.env.TEST_PORT_CLAIMS;
  if (!claims) return true;
  try {
    writeFileSync(join(claims, String(port)), "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export async function supervise(
  command: string[],
  options: { folder: string; account: Account | null; stopSignal: "QUIT" | "TERM"; output: string },
): Promise<Supervised> {
  const keeper = Bun.spawn(asAccount(options.account, ["sh", "-c", KEEPER, "keeper", ...command]), {
    stdin: "pipe",
    stdout: "pipe",
    stderr: Bun.file(options.output),
    cwd: options.folder,
    env: { ...Bun.env, FOLDER: options.folder, STOP_SIGNAL: options.stopSignal, LC_ALL: "C" },
  });
  keeper.unref();
  const first = await keeper.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(first.value).trim());
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`Could not start ${command[0]}.`);
  return {
    pid,
    exited: keeper.exited.then((code) => {
      keeper.stdin.end();
      return code;
    }),
    signal: (name) => {
      if (keeper.exitCode !== null) return;
      try {
        process.kill(pid, name);
      } catch (error) {
        // It exited by itself, and its keeper has not reported it yet.
        if ((error as { code?: string }).code !== "ESRCH") throw error;
      }
    },
  };
}
