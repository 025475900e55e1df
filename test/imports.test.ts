// The import table of ARCHITECTURE.md, enforced: a room may use only the rooms listed here, nothing that ships imports test
// code, and time, randomness and the environment each have a single entry point.
import { expect, test } from "bun:test";
import { basename } from "node:path";
import { isForTests, readSources, SHIPPED } from "./support/sources.ts";

const BELOW = [
  "kit",
  "database",
  "protocol",
  "service/model",
  "service/upstream",
  "service/store",
  "service/bus",
] as const;

/** Which other rooms a room may import. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  kit: [],
  database: ["kit"],
  contract: ["kit"],
  protocol: ["kit"],
  accounting: ["kit"],
  replay: ["kit", "accounting"],
  simulator: ["kit", "accounting", "database", "protocol"],
  tracker: ["kit", "accounting", "database", "protocol"],
  "service/model": ["kit", "accounting", "protocol"],
  "service/upstream": ["kit", "protocol", "service/model"],
  "service/store": ["accounting", "kit", "database", "protocol", "service/model"],
  "service/bus": ["kit", "protocol", "service/model"],
  "service/capture": BELOW,
  "service/history": BELOW,
  "service/access": ["contract", ...BELOW],
  "service/feed": ["contract", ...BELOW, "service/access"],
  "service/accounts": ["contract", ...BELOW, "service/access"],
  "service/billing": ["contract", ...BELOW, "service/access"],
  "service/api": [
    "accounting",
    "replay",
    "contract",
    ...BELOW,
    "service/access",
    "service/feed",
    "service/accounts",
    "service/billing",
    "service/history",
  ],
  "service/site": [
    "contract",
    "web",
    "client",
    ...BELOW,
    "service/access",
    "service/accounts",
    "service/billing",
    "service/history",
    "service/api",
  ],
  "service/streams": ["contract", ...BELOW, "service/access", "service/feed"],
  "service/webhooks": ["contract", ...BELOW, "service/access", "service/feed"],
  "service/ops": ["contract", "kit", "database", "service/store", "service/bus"],
  client: ["kit", "contract"],
  web: ["kit", "contract", "client"],
  bots: ["kit", "database", "contract", "client"],
};

/** The composition root and the operator's commands, which open what they need; and benchmarks, trials and explain tools. */
const MAY_IMPORT_ALL =
  /^(service\/(service|foundation|cli|main)\.ts$|service\/(commands|platform)\/|bin\/|bench\/|test\/|docs\/)/;

/** The other files at the service's root: what they may use. */
const ROOT_FILES: Record<string, readonly string[]> = {
  "service/config.ts": ["kit", "tracker"],
  "service/settings.ts": ["kit", "tracker", "bots"],
};

function roomOf(path: string): string {
  const [first, second, ...deeper] = path.split("/");
  return first === "service" && deeper.length > 0 ? `service/${second}` : String(first);
}

/** Groups of files that import each other, by Tarjan's algorithm. */
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

/** Rooms independent of the service; so are their tests and test helpers. */
const BELOW_SERVICE = /^(kit|database|contract|protocol|simulator|tracker|client|web|bots)$/;

test("tests and their helpers below the service know nothing of it but through test/", () => {
  const broken = sources
    .filter(({ path }) => BELOW_SERVICE.test(roomOf(path)) && isForTests(path))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => target.startsWith("service/")).map((target) => `${path} imports ${target}`),
    );
  expect(broken).toEqual([]);
});

test("no files import each other in a circle", () => {
  // Type imports count too: a reader of one file has to read the other.
  const found = circles(new Map(sources.map(({ path, imports }) => [path, imports])));
  expect(found.map((circle) => circle.sort())).toEqual([]);
});

test("nothing that ships imports test code", () => {
  const broken = shipped.flatMap(({ path, imports }) =>
    imports.filter(isForTests).map((target) => `${path} imports ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every file that ships under the name of test support exists", () => {
  const paths = new Set(sources.map(({ path }) => path));
  expect([...SHIPPED].filter((path) => !paths.has(path))).toEqual([]);
});

test("only the composition root, its settings and the commands know which platforms there are", () => {
  const knowing = shipped
    .filter(({ path }) => path.startsWith("service/") && !MAY_IMPORT_ALL.test(path))
    .filter(({ path }) => !Object.hasOwn(ROOT_FILES, path))
    .filter(({ imports }) => imports.some((target) => /^(simulator|tracker)\//.test(target)))
    .map(({ path }) => path);
  expect(knowing).toEqual([]);
});

/** Generated, and read by compilers. */
const GENERATED = "client/src/generated.ts";

test("no source file is longer than 400 lines", () => {
  const long = sources
    .filter(({ path }) => !path.endsWith(".test.ts") && path !== GENERATED)
    .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

/** About a screen and a half. Markup is counted more leniently: it is read by its shape. */
const FUNCTION_LINES_MAX = 75;
const MARKUP_LINES_MAX = 125;

/** Long because they list or wire, and easier to read in one piece. */
const LONG_FUNCTIONS = [
  "service/service.ts openServing",
  "service/streams/streams.ts createStreams",
  "service/api/routes/theses.ts thesisRoutes",
  "simulator/world/state.ts createTables",
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

/** The functions of a formatted file: a block ends at a brace with the same indentation as its first line. */
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

/** A multi-line signature ends on the line where the block starts; its name is above. */
function nameOf(lines: readonly string[], at: number): string {
  for (let line = at; line >= 0; line--) {
    const named = /(?:function|const|await)\s+([\w$]+)|^\s*(?:async )?([\w$]+)\(/.exec(lines[line] ?? "");
    if (named) return String(named[1] ?? named[2]);
  }
  return "?";
}

test("time and randomness are read only in the kit", () => {
  // A page in a browser has no kit, but its own single entry point.
  const elsewhere = /^(kit|bench|test|docs|client)\/|^web\/shared\/clock\.ts$/;
  const asking =
    /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\)|\brandomUUID|\bgetRandomValues\b|\brandomBytes\b/;
  const broken = shipped.filter(({ path, text }) => !elsewhere.test(path) && asking.test(text));
  expect(broken.map(({ path }) => path)).toEqual([]);
});

test("the environment is read in one place of each program", () => {
  const readers = shipped.filter(({ text }) =>
    /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/.test(text),
  );
  // The service, the command line, and the single-file program that reads runtime settings before any of ours.
  expect(readers.map(({ path }) => path)).toEqual([
    "bin/one-file.ts",
    "client/cli/reading.ts",
    "service/config.ts",
  ]);
});
