// A crowd in its own process at low priority: its thousand sockets are connected and read, and on a shared core the cost of
// reading does not show up as server latency. Arguments: port, path, number of sockets.
import { setPriority } from "node:os";
import { openCrowd } from "./stream-load.ts";

const LOWEST_PRIORITY = 19;

if (import.meta.main) {
  const [port, path = "/", count] = process.argv.slice(2);
  setPriority(LOWEST_PRIORITY);
  const crowd = await openCrowd(Number(port), Number(count), () => path);
  console.log(JSON.stringify({ sockets: Number(count) }));
  process.stdin.on("end", () => {
    crowd.close();
    process.exit(0);
  });
  process.stdin.resume();
}
