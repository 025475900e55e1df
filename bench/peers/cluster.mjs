// The server of http.mjs in several processes behind one port, as Node's own cluster module runs them. Each says the
// port, which is the same for all, and ends with the input that it inherits. Given: the packages' folder, how many
// processes, then what http.mjs is given.
import cluster from "node:cluster";
import { fileURLToPath } from "node:url";

const [folder, processes, ...given] = process.argv.slice(2);
cluster.setupPrimary({
  exec: fileURLToPath(new URL("http.mjs", import.meta.url)),
  args: [folder, ...given],
});
for (let index = 0; index < Number(processes); index++) cluster.fork();
