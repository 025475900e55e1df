// `npm ci` refuses a lock that leaves out a platform package, and a registry mirror without other platforms' packages
// makes `npm install` write such a lock. `bun test/support/complete-lock.ts` repairs it.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { missingOptionalPackages } from "./support/complete-lock.ts";

const root = join(import.meta.dir, "..");

test("the lock names every optional package of every platform", async () => {
  expect(missingOptionalPackages(await Bun.file(join(root, "package-lock.json")).json())).toEqual([]);
});

test("the lock contains no package URLs", async () => {
  expect(await Bun.file(join(root, "package-lock.json")).text()).not.toContain('"resolved"');
});
