// The programs that Crowdtape is measured against: programs on this machine, and Node packages that are installed for the
// benchmark alone, into the temporary folder, so that the product depends on none of them.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Exact versions, so that a ratio means the same tomorrow. */
const PACKAGES = { express: "5.3.0", fastify: "5.12.8", "socket.io": "4.8.4", ws: "8.22.2" } as const;

export const PEER_VERSIONS: Readonly<Record<string, string>> = PACKAGES;

export function programOf(name: string, install: string): string {
  const found = Bun.which(name, { PATH: `${Bun.env.PATH ?? ""}:/usr/sbin:/usr/local/sbin` });
  if (found === null) throw new Error(`${name} is missing: ${install}`);
  return found;
}

const nodeProgram = (): string => programOf("node", "install Node 20 or newer");

/** The folder whose node_modules contains the packages; installed once and reused. */
async function peerFolder(): Promise<string> {
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const folder = join(tmpdir(), `crowdtape-bench-peers-${Bun.hash(wanted.join(" ")).toString(36)}`);
  const done = join(folder, "installed");
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "peers", private: true }));
  const npm = programOf("npm", "it comes with Node");
  const install = Bun.spawn(
    [npm, "install", "--save-exact", "--no-audit", "--no-fund", "--ignore-scripts", ...wanted],
    { cwd: folder, stdout: "ignore", stderr: "pipe" },
  );
  if ((await install.exited) !== 0)
    throw new Error(
      `the peers could not be installed: ${(await new Response(install.stderr).text()).slice(-500)}`,
    );
  writeFileSync(done, "");
  return folder;
}

/** A program of bench/peers for Node, with the packages' folder as its first argument. */
export async function nodePeer(name: string, ...given: string[]): Promise<string[]> {
  return [nodeProgram(), join(import.meta.dir, "..", "peers", `${name}.mjs`), await peerFolder(), ...given];
}
