// The server of http.mjs in several processes behind one port, using Node's own cluster module. Each prints the port, which is
// the same for all, and exits when its inherited stdin ends. Arguments: the packages' folder, the number of processes, then
// the arguments of http.mjs.
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";

const [folder, processes, ...given] = process.argv.slice(2);
cluster.setupPrimary({
  exec: fileURLToPath(new URL("http.mjs", import.meta.url)),
  args: [folder, ...given],
});
for (let index = 0; index < Number(processes); index++) cluster.fork();
