// The project's own source files, for tests that check all of them against a rule.
import { basename, dirname, join, normalize } from "node:path";

const root = join(import.meta.dir, "../..");

export interface Source {
  path: string;
  text: string;
  /** Its imports from this repository, types included. */
  imports: string[];
}

/** Named like test support, but shipped: the chain that payments without a coin run on. */
export const SHIPPED = new Set([
  "service/billing/stablecoin/test-chain.ts",
  "service/store/money/test-chain.ts",
]);

/** Tests and the helpers next to them, by their name. */
const TEST_SUPPORT = /(\.test\.tsx?|^suite[a-z-]*\.ts|^test-[a-z-]+\.ts)$/;

/** Benchmarks and trials. */
export const isForTests = (path: string): boolean =>
  /^(test|bench)\//.test(path) || (TEST_SUPPORT.test(basename(path)) && !SHIPPED.has(path));

const NOT_OURS = /^(node_modules|data|coverage|client\/dist)\//;

export async function readSources(pattern = "**/*.{ts,tsx}"): Promise<Source[]> {
  const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }));
  const own = paths.filter((path) => !NOT_OURS.test(path)).sort();
  return Promise.all(
    own.map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      const found = text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
      const imports = Array.from(found, ([, target]) => normalize(join(dirname(path), String(target))));
      return { path, text, imports };
    }),
  );
}
