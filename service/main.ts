// What `npm start` runs: the program from its bundle where that is fresh, else from its sources.
import { freshBundle } from "./bundle.ts";

const bundle = freshBundle();
await (bundle === null ? import("./start.ts") : import(bundle));
