// The import table of ARCHITECTURE.md, enforced: a room may use only the rooms named here, nothing that ships leans on
// what only tests use, and time, chance and the environment have one door each.
import { expect, test } from "bun:test";
import { basename, dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "..");

const BELOW = [
  "kit",
  "database",
  "service/model",
  "service/upstream",
  "service/store",
  "service/bus",
] as const;

/** Which rooms a room may import, beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  kit: [],
  database: ["kit"],
  contract: [],
  protocol: ["kit"],
  simulator: ["kit", "database", "protocol"],
  tracker: ["kit", "database", "protocol"],
  "service/model": ["kit", "protocol"],
  "service/upstream": ["kit", "protocol", "simulator", "tracker", "service/model"],
  "service/store": ["kit", "database", "service/model"],
  "service/bus": ["kit", "service/model"],
  "service/capture": [...BELOW, "protocol"],
  "service/access": ["contract", ...BELOW],
  "service/feed": ["contract", ...BELOW, "service/access"],
  "service/accounts": ["contract", ...BELOW, "service/access"],
  "service/billing": ["contract", ...BELOW, "service/access"],
  "service/api": [
    "contract",
    "web",
    ...BELOW,
    "service/access",
    "service/feed",
    "service/accounts",
    "service/billing",
  ],
  "service/streams": ["contract", ...BELOW, "service/access", "service/feed"],
  "service/webhooks": ["contract", ...BELOW, "service/access", "service/feed"],
  "service/ops": ["contract", "kit", "database", "service/store", "service/bus"],
  client: ["contract"],
  web: ["contract"],
};

/** The composition root and the operator's commands, which open what they need; and what measures, proves, explains. */
const MAY_IMPORT_ALL = /^(service\/[a-z-]+\.ts$|service\/commands\/|bench\/|test\/|docs\/)/;

/** Test support beside what it supports, by its name. */
const TEST_SUPPORT = /(\.test\.ts|^suite[a-z-]*\.ts|^test-[a-z-]+\.ts)$/;

/** Test support under another name, each with what it is. */
const MORE_TEST_SUPPORT: Record<string, string> = {
  "simulator/world/testing.ts": "small worlds for the simulator's tests",
  "service/capture/scripted-upstream.ts": "an upstream that says what a test wrote",
  "service/upstream/served.ts": "a platform behind a real wire, for the remote adapter's tests",
};

/** Named like test support, but shipped: the chain that payments without a coin run on. */
const SHIPPED = new Set(["service/billing/stablecoin/test-chain.ts", "service/store/money/test-chain.ts"]);

const isForTests = (path: string): boolean =>
  /^(test|bench)\//.test(path) ||
  Object.hasOwn(MORE_TEST_SUPPORT, path) ||
  (TEST_SUPPORT.test(basename(path)) && !SHIPPED.has(path));

function roomOf(path: string): string {
  const [first, second, ...deeper] = path.split("/");
  return first === "service" && deeper.length > 0 ? `service/${second}` : String(first);
}

interface Source {
  path: string;
  text: string;
  /** What it imports from this repository. */
  imports: string[];
}

async function readSources(): Promise<Source[]> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*.{ts,tsx}").scan({ cwd: root }));
  return Promise.all(
    paths
      .filter((path) => !/^(node_modules|data|coverage|client\/dist)\//.test(path))
      .map(async (path) => {
        const text = await Bun.file(join(root, path)).text();
        const found = text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
        const imports = Array.from(found, ([, target]) => normalize(join(dirname(path), String(target))));
        return { path, text, imports };
      }),
  );
}

const sources = await readSources();
const shipped = sources.filter(({ path }) => !isForTests(path));

test("each room imports only the rooms that the table allows", () => {
  const broken = shipped
    .filter(({ path }) => !MAY_IMPORT_ALL.test(path))
    .flatMap(({ path, imports }) => {
      const room = roomOf(path);
      const allowed = MAY_IMPORT[room];
      if (!allowed) return [`${path}: no row in the table for ${room}`];
      return imports
        .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
        .map((target) => `${path} imports ${target}`);
    });
  expect(broken).toEqual([]);
});

test("nothing that ships imports what is for tests", () => {
  const broken = shipped.flatMap(({ path, imports }) =>
    imports.filter(isForTests).map((target) => `${path} imports ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every file that is named as test support exists", () => {
  const paths = new Set(sources.map(({ path }) => path));
  expect([...Object.keys(MORE_TEST_SUPPORT), ...SHIPPED].filter((path) => !paths.has(path))).toEqual([]);
});

test("only the composition root and the commands know which platforms there are", () => {
  const knowing = shipped
    .filter(({ path }) => path.startsWith("service/") && !MAY_IMPORT_ALL.test(path))
    .filter(({ imports }) => imports.some((target) => /^(simulator|tracker)\//.test(target)))
    .map(({ path }) => path);
  expect(knowing).toEqual([]);
});

/** Written by a script, and read by compilers. */
const GENERATED = "client/src/generated.ts";

test("no source file is longer than 400 lines", () => {
  const long = sources
    .filter(({ path }) => !path.endsWith(".test.ts") && path !== GENERATED)
    .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test("time and chance are asked for only in the kit", () => {
  // A page in a browser has no kit: it counts down by the browser's clock.
  const elsewhere = /^(kit|bench|test|docs|client)\/|^web\/[a-z]+\/client\.ts$/;
  const asking =
    /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\)|\brandomUUID|\bgetRandomValues\b|\brandomBytes\b/;
  const broken = shipped.filter(({ path, text }) => !elsewhere.test(path) && asking.test(text));
  expect(broken.map(({ path }) => path)).toEqual([]);
});

test("the environment is read in one place", () => {
  const readers = shipped.filter(({ text }) =>
    /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/.test(text),
  );
  expect(readers.map(({ path }) => path)).toEqual(["service/config.ts"]);
});
