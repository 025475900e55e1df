// The programs that tests need in addition to Node: how to find each, and the Debian packages that contain it.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

/** Where a distribution or Homebrew puts the servers of each version, newest first. */
function postgresFolders(): string[] {
  const version = (path: string) => Number(path.match(/\d+(?=\D*$)/)?.[0] ?? 0);
  const versioned = [
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
  ].map((pattern) => globSync(pattern).sort((a, b) => version(b) - version(a)));
  return [...(Bun.env.PG_BIN ? [Bun.env.PG_BIN] : []), ...versioned.flat()];
}

/** Debian puts nginx where only root's PATH looks. */
const SERVER_FOLDERS = ["/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin"];

/** The first of these folders that has the program, else PATH. */
function find(name: string, folders: readonly string[] = []): string | null {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found ?? Bun.which(name);
}

/** Prefers Debian's, which has the packages, to another one earlier in PATH. */
function findPython(): string | null {
  const pythons = ["/usr/bin/python3", Bun.which("python3")].filter((path) => path !== null);
  const hasPackages = (path: string) =>
    existsSync(path) && Bun.spawnSync([path, "-c", "import httpx, websockets"]).success;
  return pythons.find(hasPackages) ?? null;
}

/** The headless-only build takes half the processor time. */
function findChromium(): string | null {
  return find("chromium-headless-shell") ?? find("chromium");
}

interface Program {
  packages: readonly string[];
  find(): string | null;
}

const PROGRAMS = {
  postgres: { packages: ["postgresql"], find: () => find("postgres", postgresFolders()) },
  redis: { packages: ["redis-server"], find: () => find("redis-server", SERVER_FOLDERS) },
  chromium: { packages: ["chromium-headless-shell"], find: findChromium },
  nginx: { packages: ["nginx"], find: () => find("nginx", SERVER_FOLDERS) },
  openssl: { packages: ["openssl"], find: () => find("openssl") },
  curl: { packages: ["curl"], find: () => find("curl") },
  python: { packages: ["python3", "python3-httpx", "python3-websockets"], find: findPython },
  mypy: { packages: ["mypy"], find: () => find("mypy") },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[];

export const packagesOf = (names: readonly ProgramName[]): string[] =>
  names.flatMap((name) => [...PROGRAMS[name].packages]);

/** The run's own result, so that each file does not search again; it also hides programs: `TEST_WITHOUT=redis npm test`. */
const without = new Set(Bun.env.TEST_WITHOUT?.split(","));

export const hasProgram = (name: ProgramName): boolean =>
  !without.has(name) && PROGRAMS[name].find() !== null;

/** Its path; throws an error that says what to install if it is missing. */
export function programPath(name: ProgramName): string {
  const found = hasProgram(name) ? PROGRAMS[name].find() : null;
  if (!found)
    throw new Error(
      `${name} was not found. Debian and Ubuntu: apt-get install ${packagesOf([name]).join(" ")}`,
    );
  return found;
}
