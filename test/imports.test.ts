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
  "service/upstream": ["kit", "protocol", "service/model"],
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
const MAY_IMPORT_ALL =
  /^(service\/(service|foundation|selling|outgoing|web-pages|follow|tracker-settings|mcp|cli|main|start)\.ts$|service\/commands\/|bench\/|test\/|docs\/)/;

/** The other files at the service's root: what they may use. */
const ROOT_FILES: Record<string, readonly string[]> = {
  "service/config.ts": ["kit"],
  "service/settings.ts": ["kit"],
  "service/former-names.ts": ["kit"],
  "service/simulator-folder.ts": ["kit"],
  "service/tracker-location.ts": ["kit", "database"],
  "service/bundle.ts": [],
  "service/bundle-make.ts": [],
  "service/bundle-map.ts": [],
};

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
  /** The part of it that is there when the program runs: types are not. */
  loads: string[];
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
        return { path, text, imports, loads: loadsOf(path, text) };
      }),
  );
}

const TYPES_ONLY = /^(?:import|export)(?: type\b|\s*\{(?:\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?)+\s*\})/;

function loadsOf(path: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from\s*["'](\.[^"']+)["']/gms)]
    .filter(([clause]) => !TYPES_ONLY.test(clause))
    .map(([, target]) => normalize(join(dirname(path), String(target))));
}

/** Groups of files that load each other, by Tarjan's algorithm. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      else if (!path.includes(next)) continue;
      lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0, order.get(next) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

const sources = await readSources();
const shipped = sources.filter(({ path }) => !isForTests(path));

test("each room imports only the rooms that the table allows", () => {
  const broken = shipped
    .filter(({ path }) => !MAY_IMPORT_ALL.test(path))
    .flatMap(({ path, imports }) => {
      const room = roomOf(path);
      const allowed = ROOT_FILES[path] ?? MAY_IMPORT[room];
      if (!allowed) return [`${path}: no row in the table for ${room}`];
      return imports
        .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
        .filter((target) => !(path in ROOT_FILES && target in ROOT_FILES))
        .map((target) => `${path} imports ${target}`);
    });
  expect(broken).toEqual([]);
});

/** Rooms that know nothing of the service; so do their tests and the helpers of those. */
const BELOW_SERVICE = /^(kit|database|contract|protocol|simulator|tracker|client|web)$/;

test("tests and their helpers below the service know nothing of it but through test/", () => {
  const broken = sources
    .filter(({ path }) => BELOW_SERVICE.test(roomOf(path)) && isForTests(path))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => target.startsWith("service/")).map((target) => `${path} imports ${target}`),
    );
  expect(broken).toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(circles(new Map(sources.map(({ path, loads }) => [path, loads])))).toEqual([]);
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

/** About a screen and a half. Markup is counted more kindly: it is read by its shape. */
const FUNCTION_LINES_MAX = 75;
const MARKUP_LINES_MAX = 125;

/** Long because they list or wire, and easier to read whole. */
const LONG_FUNCTIONS = [
  "service/service.ts openServing",
  "service/streams/streams.ts createStreams",
  "service/api/routes/theses.ts thesisRoutes",
  "simulator/world/state.ts createTables",
  "tracker/open.ts openTracker",
  "tracker/evm/reader.ts createEvmReader",
  "test/chains/evm/market.ts openMarket",
  "protocol/test-platform.ts fixedPlatform",
  "test/support/store-rows.ts tables",
  "test/support/store-reads.ts readsOf",
  "test/fuzz/abuse-cases.ts quickCases",
  "bench/reads.ts suite",
  "bench/scale.ts outcomeOf",
  "test/http/conformance-suite.ts conformance",
];

test("no function is longer than a screen and a half, not counting those inside it", () => {
  const long = sources
    .filter(({ path }) => !/\.test\.tsx?$/.test(path) && !/^suite/.test(basename(path)) && path !== GENERATED)
    .flatMap(({ path, text }) => {
      const max = path.endsWith(".tsx") ? MARKUP_LINES_MAX : FUNCTION_LINES_MAX;
      return functionsOf(text)
        .filter(({ lines }) => lines > max)
        .map(({ name }) => `${path} ${name}`);
    });
  expect(long.sort()).toEqual([...LONG_FUNCTIONS].sort());
});

/** The functions of a formatted file: a block ends where a brace stands as far to the right as its first line. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const lines = text.split("\n");
  const depth = (line: string) => line.length - line.trimStart().length;
  const blocks = lines.flatMap((line, from) => {
    const code = line.trim();
    if (!code.endsWith("{") || NO_FUNCTION.test(code) || !FUNCTION.test(code)) return [];
    const to = lines.findIndex(
      (later, at) => at > from && later.trim().startsWith("}") && depth(later) === depth(line),
    );
    return to < 0 ? [] : [{ from, to, name: nameOf(lines, from) }];
  });
  return blocks.map(({ from, to, name }) => {
    let own = to - from;
    let reached = -1;
    for (const inner of blocks) {
      if (inner.from <= from || inner.to >= to || inner.from <= reached) continue;
      own -= inner.to - inner.from - 1;
      reached = inner.to;
    }
    return { name, lines: own };
  });
}

const FUNCTION =
  /^(export )?(default )?(async )?function\b|=> \{$|^\)(: .*)? \{$|^(async |get |set |static |private |readonly )*[\w#$]+(<.*>)?\(.*\)(: .*)? \{$/;
const NO_FUNCTION = /^(if|for|while|switch|else|try|catch|do|class|interface|describe|test|return new|\})\b/;

/** A signature of several lines ends on the line the block begins; its name stands above. */
function nameOf(lines: readonly string[], at: number): string {
  for (let line = at; line >= 0; line--) {
    const named = /(?:function|const|await)\s+([\w$]+)|^\s*(?:async )?([\w$]+)\(/.exec(lines[line] ?? "");
    if (named) return String(named[1] ?? named[2]);
  }
  return "?";
}

test("time and chance are asked for only in the kit", () => {
  // A page in a browser has no kit: it has one door of its own.
  const elsewhere = /^(kit|bench|test|docs|client)\/|^web\/shared\/clock\.ts$/;
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
