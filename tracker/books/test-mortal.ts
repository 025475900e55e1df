// For tests: a database whose process kills itself, without warning, right after this many statements: between two
// transactions, inside one, or between a commit and its result. The test decides which one, not the machine.
import type { Database, Queries } from "../../database/database.ts";

/** `counted`: whether reads count too, or only what is part of a write, which depends on news and not on the clock. */
export function mortal(
  database: Database,
  statements: number,
  counted: "reads and writes" | "writes" = "reads and writes",
): Database {
  let left = statements;
  const count = () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
  const after = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer;
    count();
    return result;
  };
  const counting = (queries: Queries): Queries => ({
    dialect: queries.dialect,
    all: (statement) => after(queries.all(statement)),
    one: (statement) => after(queries.one(statement)),
    run: (statement) => after(queries.run(statement)),
  });
  return {
    ...database,
    read: counted === "writes" ? database.read : counting(database.read),
    write: (work, options) => after(database.write((tx) => work(counting(tx)), options)),
    single: (statement) => after(database.single(statement)),
  };
}
