// The import table of ARCHITECTURE.md, enforced: a room may use only the rooms named here.
import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "..");

/** Which rooms a room may import, beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  platform: ["service/kit"],
  "service/kit": [],
  "service/model": ["service/kit"],
  "service/upstream": ["service/kit", "service/model", "platform"],
  "service/store": ["service/kit", "service/model"],
  "service/bus": ["service/kit", "service/model"],
  "service/capture": ["service/kit", "service/model", "service/upstream", "service/store", "service/bus"],
  "service/access": [
    "contract",
    "service/kit",
    "service/model",
    "service/upstream",
    "service/store",
    "service/bus",
  ],
  "service/billing": [
    "contract",
    "service/kit",
    "service/model",
    "service/upstream",
    "service/store",
    "service/bus",
  ],
  "service/api": [
    "contract",
    "web",
    "service/kit",
    "service/model",
    "service/upstream",
    "service/store",
    "service/bus",
    "service/access",
    "service/billing",
  ],
  "service/streams": [
    "contract",
    "service/kit",
    "service/model",
    "service/upstream",
    "service/store",
    "service/bus",
    "service/access",
    "service/billing",
  ],
  client: ["contract"],
  web: ["contract"],
};

/** The composition root, the commands, tests and benchmarks may use everything. */
const FREE =
  /^(service\/[a-z-]+\.ts|bin\/|bench\/|test\/|docs\/)|\.test\.ts$|\/suite\.ts$|\/test-support\.ts$/;

function roomOf(path: string): string {
  const [first, second] = path.split("/");
  return first === "service" && path.split("/").length > 2 ? `service/${second}` : String(first);
}

async function sources(): Promise<string[]> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*.{ts,tsx}").scan({ cwd: root }));
  return paths.filter((path) => !/^(node_modules|data|coverage)\//.test(path));
}

async function importsOf(path: string): Promise<string[]> {
  const text = await Bun.file(join(root, path)).text();
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => String(match[1]));
  return found.map((target) => normalize(join(dirname(path), target)));
}

test("each room imports only the rooms that the table allows", async () => {
  const broken: string[] = [];
  for (const path of await sources()) {
    if (FREE.test(path)) continue;
    const room = roomOf(path);
    const allowed = MAY_IMPORT[room];
    if (!allowed) {
      broken.push(`${path}: no row in the table for ${room}`);
      continue;
    }
    for (const target of await importsOf(path)) {
      const other = roomOf(target);
      if (other !== room && !allowed.includes(other)) broken.push(`${path} imports ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("only the embedded adapter knows the platform", async () => {
  const knowing: string[] = [];
  for (const path of await sources()) {
    if (FREE.test(path) || !path.startsWith("service/")) continue;
    const targets = await importsOf(path);
    if (targets.some((target) => target.startsWith("platform/") && target !== "platform/protocol.ts")) {
      knowing.push(path);
    }
  }
  expect(knowing.filter((path) => path !== "service/upstream/embedded.ts")).toEqual([]);
});

test("no source file is longer than 400 lines", async () => {
  const long: string[] = [];
  for (const path of await sources()) {
    const lines = (await Bun.file(join(root, path)).text()).split("\n").length;
    if (lines > 400 && !path.endsWith(".test.ts")) long.push(`${path}: ${lines}`);
  }
  expect(long).toEqual([]);
});

test("time and chance are asked for only in the kit", async () => {
  const broken: string[] = [];
  for (const path of await sources()) {
    if (!/^(contract|platform|service)\//.test(path)) continue;
    if (path.startsWith("service/kit/") || path.endsWith(".test.ts")) continue;
    const text = await Bun.file(join(root, path)).text();
    if (/Date\.now\(\)|Math\.random\(\)|new Date\(\)/.test(text)) broken.push(path);
  }
  expect(broken).toEqual([]);
});

test("the environment is read in one place", async () => {
  const readers: string[] = [];
  for (const path of await sources()) {
    if (!/^(contract|platform|service|client|web)\//.test(path) || path.endsWith(".test.ts")) continue;
    if (/process\.env|Bun\.env/.test(await Bun.file(join(root, path)).text())) readers.push(path);
  }
  expect(readers).toEqual(["service/config.ts"]);
});
