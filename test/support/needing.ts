// Tests that need a program on the machine: without it they are skipped, each by its name, and the rest of the file runs. `npm
// test` first installs what it may, and in CI a skipped test is a failure.
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "bun:test";
import { hasProgram, type ProgramName } from "./programs.ts";

const nothing = () => {};

/** The functions of bun:test for tests that need all of these. */
export function needing(...programs: ProgramName[]) {
  if (programs.every(hasProgram)) return { afterAll, afterEach, beforeAll, beforeEach, describe, test };
  // Bun runs top-level hooks even if it skips all of the file's tests.
  const hooks = { afterAll: nothing, afterEach: nothing, beforeAll: nothing, beforeEach: nothing };
  return { ...hooks, describe: describe.skip, test: test.skip } as unknown as Testing;
}

interface Testing {
  afterAll: typeof afterAll;
  afterEach: typeof afterEach;
  beforeAll: typeof beforeAll;
  beforeEach: typeof beforeEach;
  describe: typeof describe;
  test: typeof test;
}

/** For tests that run on both engines: SQLite is always available. */
export const onEngine = (dialect: "sqlite" | "postgres") =>
  dialect === "postgres" ? needing("postgres") : needing();
