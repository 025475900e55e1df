// For tests: a process that plays a story into the books and is killed right after this many statements.
import { seededRandom } from "../../kit/random.ts";
import { mortal } from "./test-mortal.ts";
import { makeStory, openBooks, tell } from "./test-story.ts";

const [location = "", seed = "", statements = ""] = process.argv.slice(2);

const { steps } = makeStory(seededRandom(seed));
const books = await openBooks(JSON.parse(location), (database) => mortal(database, Number(statements)));
await tell(books.sink, steps);
await books.close();
