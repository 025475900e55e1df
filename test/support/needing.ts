// Tests that need a program of the machine: where it is missing they are skipped, each by its name, and the rest of the
// file runs. `npm test` installs what it may first, and in CI a skipped test is a failure.
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "bun:test";
import { hasProgram, type ProgramName } from "./programs.ts";

const nothing = () => {};

/** The functions of bun:test for what needs all of these. */
export function needing(...programs: ProgramName[]) {
  if (programs.every(hasProgram)) return { afterAll, afterEach, beforeAll, beforeEach, describe, test };
  // Bun runs hooks at the top of a file even if it skips all of the file's tests.
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

/** For what runs on both engines: SQLite is always there. */
export const onEngine = (dialect: "sqlite" | "postgres") =>
  dialect === "postgres" ? needing("postgres") : needing();
