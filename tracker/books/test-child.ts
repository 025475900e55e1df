// For tests: a process that tells a story to the books and is killed, by its own hand and without warning, right after so
// many statements: between two transactions, inside one, or between a commit and its answer.
import type { Database, Queries } from "../../database/database.ts";
import { seededRandom } from "../../kit/random.ts";
import { makeStory, openBooks, tell } from "./test-story.ts";

const [location = "", seed = "", statementsLeft = ""] = process.argv.slice(2);
let left = Number(statementsLeft);

function count(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

function counted(queries: Queries): Queries {
  const after = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer;
    count();
    return result;
  };
  return {
    dialect: queries.dialect,
    all: (statement) => after(queries.all(statement)),
    one: (statement) => after(queries.one(statement)),
    run: (statement) => after(queries.run(statement)),
  };
}

function mortal(db: Database): Database {
  return {
    ...db,
    read: counted(db.read),
    async write(work, options) {
      const result = await db.write((tx) => work(counted(tx)), options);
      count();
      return result;
    },
  };
}

const { steps } = makeStory(seededRandom(seed));
const books = await openBooks(JSON.parse(location), mortal);
await tell(books.sink, steps);
await books.close();
