// For tests: a database whose process is killed, by its own hand and without warning, right after this many statements: between
// two transactions, inside one, or between a commit and its answer. Which one is the test's choice, not the machine's.
import type { Database, Queries } from "../../database/database.ts";

/** `reads` count too, or only what is done in order to write, which happens when there is news and not by the clock. */
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
